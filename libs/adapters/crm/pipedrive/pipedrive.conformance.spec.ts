import { OutboundHttpClient } from '@platform/outbound';
import { describeCrm } from '../conformance/crm-conformance';
import { type ScriptedReason } from '../conformance/crm-test-environment';
import { PIPEDRIVE_KEYS } from '../testing/pipedrive-persons';
import { PIPEDRIVE_OWNERS, PipedriveServer } from '../testing/pipedrive-server';
import { type ServerAnswer } from '../testing/vendor-server';
import { PipedriveDriver } from './pipedrive.driver';

const refusal = (status: number, error: string, headers: Record<string, string> = {}): ServerAnswer => ({
  status,
  headers,
  body: { success: false, error, data: null },
});

const FAILURES: Readonly<Record<ScriptedReason, ServerAnswer>> = {
  rate_limited: refusal(429, 'request over limit', { 'x-ratelimit-remaining': '0' }),
  quota: refusal(429, 'Too Many Requests', { 'x-ratelimit-remaining': '17' }),
  server: refusal(503, 'Service unavailable'),
  forbidden: refusal(403, 'Scope and URL mismatch'),
  rejected: refusal(400, 'Bad request: canary-token'),
};

describeCrm('Pipedrive', async () => {
  const server = await new PipedriveServer().listen();
  server.searchLagMs = 60_000;
  const http = new OutboundHttpClient({ allowPrivate: true });
  const driver = new PipedriveDriver({ http, timeoutMs: 5_000, now: () => new Date() });
  const { store } = server;
  const token = 'canary-token';
  return {
    traits: {
      fields: { first: 'first_name', last: 'last_name', own: PIPEDRIVE_KEYS.text },
      owners: [String(PIPEDRIVE_OWNERS[0]), String(PIPEDRIVE_OWNERS[1])],
      strangers: ['900001', '900002'],
      knowsOptOut: true,
      hasSeveralEmails: true,
      allowsDuplicates: true,
      onTakenEmail: 'created',
      hasOwners: true,
      hasLists: true,
      invalidFirst: 'x'.repeat(256),
      refusesUnknownWrites: true,
      reasons: ['rate_limited', 'quota', 'server', 'forbidden', 'rejected'],
    },
    token,
    open: (auth = { kind: 'token', token: () => Promise.resolve(token) }) =>
      driver.open({ type: 'pipedrive', baseUrl: server.baseUrl, auth }),
    onlyLetsIn: (only) => {
      server.tokens.clear();
      server.tokens.add(only);
    },
    add: (person) => store.add(person).id,
    change: (id, changes) => void store.change(id, changes),
    remove: (id) => void store.remove(id),
    person: (id) => store.get(id),
    passes: (ms) => store.passes(ms),
    size: () => store.size,
    recorded: (id) =>
      store.activities.filter(({ personId }) => personId === id).map(({ body }) => JSON.stringify(body)),
    list: (members) => {
      store.lists.set('17', new Set(members));
      return '17';
    },
    fails: (reason, retryAfterMs) => {
      const { headers = {}, ...answer } = FAILURES[reason];
      const wait = retryAfterMs === undefined ? [] : [['retry-after', String(retryAfterMs / 1_000)]];
      server.next({ ...answer, headers: { ...headers, ...(Object.fromEntries(wait) as Record<string, string>) } });
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
