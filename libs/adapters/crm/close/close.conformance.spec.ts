import { OutboundHttpClient } from '@platform/outbound';
import { describeCrm } from '../conformance/crm-conformance';
import { CLOSE_FAILURES, CloseServer } from '../testing/close-server';
import { CloseDriver } from './close.driver';

describeCrm('Close', async () => {
  const server = await new CloseServer().listen();
  server.indexLagMs = 30_000;
  const { store, baseUrl } = server;
  const http = new OutboundHttpClient({ allowPrivate: true });
  const driver = new CloseDriver({ http, timeoutMs: 20_000, now: () => new Date() });
  return {
    traits: {
      fields: { first: 'title', last: 'name', own: 'custom.cf_shoe' },
      owners: ['user_1', 'user_2'],
      strangers: ['cont_999999999998', 'cont_999999999999'],
      knowsOptOut: true,
      hasSeveralEmails: true,
      allowsDuplicates: true,
      onTakenEmail: 'created',
      hasOwners: false,
      hasLists: true,
      invalidFirst: 'x'.repeat(1_001),
      refusesUnknownWrites: true,
      reasons: ['rate_limited', 'server', 'forbidden', 'rejected'],
    },
    token: 'canary-token',
    open: (auth = { kind: 'key', key: 'canary-token' }) => driver.open({ type: 'close', baseUrl, auth }),
    onlyLetsIn: (token) => {
      server.tokens.clear();
      server.tokens.add(token);
    },
    add: (person) => store.add(person).id,
    change: (id, changes) => void store.change(id, changes),
    remove: (id) => void store.remove(id),
    person: (id) => store.get(id),
    passes: (ms) => server.passes(ms),
    size: () => store.size,
    recorded: (id) => store.activities.flatMap(({ personId, body }) => (personId === id ? [JSON.stringify(body)] : [])),
    list: (members) => {
      const emails = members.flatMap((id) => store.get(id)?.emails ?? []);
      const related = { this_object_type: 'contact', related_object_type: 'contact_email' };
      const queries = emails.map((value) => ({
        type: 'has_related',
        ...related,
        related_query: { type: 'field_condition', condition: { type: 'text', mode: 'exact_value', value } },
      }));
      server.views.set('save_1', { type: 'contact', s_query: { query: { type: 'or', queries } } });
      return 'save_1';
    },
    fails: (reason, retryAfterMs) => {
      if (reason === 'quota') throw new Error('Close has no limit of a day');
      const { body, ...answer } = CLOSE_FAILURES[reason];
      if (retryAfterMs === undefined) return server.next({ ...answer, body });
      return server.next({ ...answer, body: { error: { rate_reset: retryAfterMs / 1_000 } } });
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
