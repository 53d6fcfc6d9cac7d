import { OutboundHttpClient } from '@platform/outbound';
import { describeCrm } from '../conformance/crm-conformance';
import { type ScriptedReason } from '../conformance/crm-test-environment';
import { AttioServer, type ServerAnswer } from '../testing';
import { AttioDriver } from './attio.driver';

const refusal = (status: number, type: string, code: string): ServerAnswer => ({
  status,
  body: { status_code: status, type, code, message: 'canary-token is not for reading' },
});

const FAILURES: Record<Exclude<ScriptedReason, 'quota'>, ServerAnswer> = {
  rate_limited: refusal(429, 'rate_limit_error', 'rate_limit_exceeded'),
  server: refusal(500, 'api_error', 'internal_error'),
  forbidden: refusal(403, 'auth_error', 'unauthorized'),
  rejected: refusal(400, 'invalid_request_error', 'filter_error'),
};

describeCrm('Attio', async () => {
  const server = await new AttioServer().listen();
  const http = new OutboundHttpClient({ allowPrivate: true });
  const driver = new AttioDriver({ http, timeoutMs: 5_000, now: () => new Date() });
  const { store } = server;
  return {
    traits: {
      fields: { first: 'name.first_name', last: 'name.last_name', own: 'favourite' },
      owners: server.members,
      strangers: ['0a0b0c0d-0000-4000-8000-fffffffffffe', '0a0b0c0d-0000-4000-8000-ffffffffffff'],
      knowsOptOut: false,
      hasSeveralEmails: true,
      allowsDuplicates: false,
      onTakenEmail: 'merged',
      hasOwners: true,
      hasLists: false,
      invalidFirst: null,
      refusesUnknownWrites: true,
      reasons: ['rate_limited', 'server', 'forbidden', 'rejected'],
    },
    token: 'canary-token',
    open: (auth = { kind: 'key', key: 'canary-token' }) =>
      driver.open({ type: 'attio', baseUrl: server.baseUrl, auth }),
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
    fails: (reason, retryAfterMs) => {
      if (reason === 'quota') throw new Error('Attio has no limit of a day');
      const { headers, ...answer } = FAILURES[reason];
      const wait = retryAfterMs !== undefined && waitFor(retryAfterMs);
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

/** Attio states the end of a limit as a date, next to the date of the response. */
function waitFor(ms: number): Record<string, string> {
  const now = Math.floor(Date.now() / 1_000) * 1_000;
  return { date: new Date(now).toUTCString(), 'retry-after': new Date(now + ms).toUTCString() };
}

function textIn(note: Readonly<Record<string, unknown>>): string {
  return `${note['title'] as string}\n${note['content'] as string}`;
}
