import { OutboundHttpClient } from '@platform/outbound';
import { describeCrm } from '../conformance/crm-conformance';
import { type ScriptedReason } from '../conformance/crm-test-environment';
import { SALESFORCE_OWNERS, salesforceId, SalesforceServer } from '../testing/salesforce-server';
import { type ServerAnswer } from '../testing/vendor-server';
import { SalesforceDriver } from './salesforce.driver';

const refusal = (status: number, errorCode: string, message: string): ServerAnswer => ({
  status,
  body: [{ errorCode, message }],
});

/** As Salesforce documents them. */
const FAILURES: Readonly<Record<ScriptedReason, ServerAnswer>> = {
  rate_limited: refusal(403, 'REQUEST_LIMIT_EXCEEDED', 'ConcurrentRequests (Concurrent API Requests) Limit exceeded.'),
  quota: refusal(403, 'REQUEST_LIMIT_EXCEEDED', 'TotalRequests Limit exceeded. canary-token'),
  server: refusal(503, 'SERVER_UNAVAILABLE', 'Server too busy'),
  forbidden: refusal(403, 'API_DISABLED_FOR_ORG', 'API is not enabled for this Organization or Partner'),
  rejected: refusal(400, 'MALFORMED_QUERY', 'unexpected token: canary-token'),
};

describeCrm('Salesforce', async () => {
  const server = await new SalesforceServer().listen();
  const http = new OutboundHttpClient({ allowPrivate: true });
  const driver = new SalesforceDriver({ http, timeoutMs: 5_000, now: () => new Date() });
  const { store } = server;
  const token = 'canary-token';
  return {
    traits: {
      fields: { first: 'FirstName', last: 'LastName', own: 'Nickname__c' },
      owners: SALESFORCE_OWNERS,
      strangers: [salesforceId('003', 900_001), salesforceId('003', 900_002)],
      knowsOptOut: true,
      hasSeveralEmails: false,
      allowsDuplicates: true,
      onTakenEmail: 'duplicate',
      hasOwners: true,
      hasLists: true,
      invalidFirst: 'x'.repeat(41),
      refusesUnknownWrites: true,
      reasons: ['rate_limited', 'quota', 'server', 'forbidden', 'rejected'],
    },
    token,
    open: (auth = { kind: 'token', token: () => Promise.resolve(token) }) =>
      driver.open({ type: 'salesforce', baseUrl: server.baseUrl, auth }),
    onlyLetsIn: (only) => {
      server.tokens.clear();
      server.tokens.add(only);
    },
    add: (person) => store.add(person).id,
    change: (id, changes) => void store.change(id, changes),
    remove: (id) => server.remove(id),
    person: (id) => store.get(id),
    passes: (ms) => store.passes(ms),
    size: () => store.size,
    recorded: (id) =>
      store.activities.filter(({ personId }) => personId === id).map(({ body }) => JSON.stringify(body)),
    list: (members) => {
      const id = salesforceId('701', 1);
      store.lists.set(id, new Set(members));
      return id;
    },
    fails: (reason, retryAfterMs) => {
      const wait = retryAfterMs === undefined ? [] : [['retry-after', String(retryAfterMs / 1_000)]];
      server.next({ ...FAILURES[reason], headers: Object.fromEntries(wait) as Record<string, string> });
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
