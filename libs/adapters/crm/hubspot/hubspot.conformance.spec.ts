import { OutboundHttpClient } from '@platform/outbound';
import { describeCrm } from '../conformance/crm-conformance';
import { HUBSPOT_FAILURES, HubSpotServer } from '../testing/hubspot-server';
import { HubSpotDriver } from './hubspot.driver';

describe.each([
  ['refuses batches as a whole', false],
  ['tells who is wrong', true],
])('an account that %s', (_name, tellsWhoIsWrong) => {
  describeCrm('HubSpot', async () => {
    const server = await new HubSpotServer().listen();
    server.indexLagMs = 30_000;
    server.tellsWhoIsWrong = tellsWhoIsWrong;
    const { store, baseUrl } = server;
    const http = new OutboundHttpClient({ allowPrivate: true });
    const driver = new HubSpotDriver({ http, timeoutMs: 20_000, now: () => new Date() });
    let lists = 0;
    return {
      traits: {
        fields: { first: 'firstname', last: 'lastname', own: 'shoe_size' },
        owners: ['501', '502'],
        strangers: ['999998', '999999'],
        knowsOptOut: true,
        hasSeveralEmails: true,
        allowsDuplicates: false,
        onTakenEmail: 'merged',
        hasOwners: true,
        hasLists: true,
        invalidFirst: 'x'.repeat(65_537),
        refusesUnknownWrites: true,
        reasons: ['rate_limited', 'quota', 'server', 'forbidden', 'rejected'],
      },
      token: 'canary-token',
      open: (auth = { kind: 'key', key: 'canary-token' }) => driver.open({ type: 'hubspot', baseUrl, auth }),
      onlyLetsIn: (token) => {
        server.tokens.clear();
        server.tokens.add(token);
      },
      add: (person) => store.add(person).id,
      change: (id, changes) => void store.change(id, changes),
      remove: (id) => void store.remove(id),
      person: (id) => {
        const person = store.get(id);
        return person && { ...person, fields: withoutEmpty(person.fields) };
      },
      passes: (ms) => store.passes(ms),
      size: () => store.size,
      recorded: (id) =>
        store.activities.flatMap(({ personId, body }) => (personId === id ? [JSON.stringify(body)] : [])),
      list: (members) => {
        lists += 1;
        store.lists.set(String(lists), new Set(members));
        return String(lists);
      },
      fails: (reason, retryAfterMs) => {
        const headers: Record<string, string> =
          retryAfterMs === undefined ? {} : { 'retry-after': String(retryAfterMs / 1_000) };
        server.next({ ...HUBSPOT_FAILURES[reason], headers });
      },
      cuts: (when) => server.next(when === 'before' ? 'cut' : 'done but cut'),
      staysSilent: () => server.next('silence'),
      garbles: () => server.next({ status: 200, body: '<html>Sign in</html>' }),
      close: async () => {
        await http.onModuleDestroy();
        await server.close();
      },
    };
  });
});

/** HubSpot does not distinguish an empty value from a missing one. */
function withoutEmpty(fields: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== ''));
}
