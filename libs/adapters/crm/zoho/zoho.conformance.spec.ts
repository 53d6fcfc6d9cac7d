import { OutboundHttpClient } from '@platform/outbound';
import { describeCrm } from '../conformance/crm-conformance';
import { type ScriptedReason } from '../conformance/crm-test-environment';
import { type ServerAnswer, ZohoServer } from '../testing';
import { ZohoDriver } from './zoho.driver';

const said = (code: string): { code: string; details: object; message: string; status: string } => ({
  code,
  details: {},
  message: 'canary-token is not for reading',
  status: 'error',
});

const FAILURES: Record<ScriptedReason, ServerAnswer> = {
  rate_limited: { status: 429, body: said('TOO_MANY_REQUESTS') },
  quota: { status: 429, headers: { 'x-api-credits-remaining': '0' }, body: said('TOO_MANY_REQUESTS') },
  server: { status: 500, body: said('INTERNAL_ERROR') },
  forbidden: { status: 401, body: said('OAUTH_SCOPE_MISMATCH') },
  rejected: { status: 400, body: said('INVALID_REQUEST') },
};

describeCrm('Zoho', async () => {
  const server = await new ZohoServer().listen();
  const http = new OutboundHttpClient({ allowPrivate: true });
  const driver = new ZohoDriver({ http, timeoutMs: 5_000, now: () => new Date() });
  const { store } = server;
  return {
    traits: {
      fields: { first: 'First_Name', last: 'Last_Name', own: 'Favourite' },
      owners: server.owners,
      strangers: ['4876876999999999998', '4876876999999999999'],
      knowsOptOut: true,
      hasSeveralEmails: true,
      allowsDuplicates: true,
      onTakenEmail: 'merged',
      hasOwners: true,
      hasLists: true,
      invalidFirst: 'x'.repeat(41),
      refusesUnknownWrites: true,
      reasons: ['rate_limited', 'quota', 'server', 'forbidden', 'rejected'],
    },
    token: 'canary-token',
    open: (auth = { kind: 'token', token: () => Promise.resolve('canary-token') }) =>
      driver.open({ type: 'zoho', baseUrl: server.baseUrl, auth }),
    onlyLetsIn: (token) => {
      server.tokens.clear();
      server.tokens.add(token);
    },
    add: (person) => store.add(person).id,
    change: (id, changes) => void store.change(id, changes),
    remove: (id) => void store.remove(id),
    person: (id) => store.get(id),
    passes: (ms) => store.passes(ms),
    size: () => store.size,
    recorded: (id) => store.activities.flatMap(({ personId, body }) => (personId === id ? [textIn(body)] : [])),
    list: (members) => {
      const id = store.nextId();
      store.lists.set(id, new Set(members));
      return id;
    },
    fails: (reason, retryAfterMs) => {
      const { headers, ...answer } = FAILURES[reason];
      const wait = retryAfterMs !== undefined && { 'retry-after': String(retryAfterMs / 1_000) };
      server.next({ ...answer, headers: { ...headers, ...wait } });
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

function textIn(note: Readonly<Record<string, unknown>>): string {
  return `${note['Note_Title'] as string}\n${note['Note_Content'] as string}`;
}
