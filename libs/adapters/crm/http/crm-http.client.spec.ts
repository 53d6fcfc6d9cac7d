import { OutboundHttpClient } from '@platform/outbound';
import { type CrmAuth } from '../port/crm-account';
import { type ServerAnswer, VendorServer } from '../testing/vendor-server';
import { type CrmDialect } from './crm-dialect';
import { CrmHttpClient, type CrmRequest } from './crm-http.client';
import { UnconfirmedWriteError } from './unconfirmed-write.errors';

const NOW = new Date('2026-11-25T12:00:00.000Z');
const READ: CrmRequest = { method: 'GET', path: '/things' };
const WRITE: CrmRequest = { method: 'POST', path: '/things', body: { name: 'x' } };

const DIALECT: CrmDialect = {
  vendor: 'Acme',
  authorisation: (secret, kind) => ({ authorization: `${kind} ${secret}` }),
  getFault: ({ json }) => {
    const { reason, sentence = '' } = (json ?? {}) as { reason?: 'quota'; sentence?: string };
    return reason === undefined ? null : { reason, sentence };
  },
  getCooldownMs: ({ headers }) => (headers['x-rest'] === undefined ? null : Number(headers['x-rest'])),
};

class EchoServer extends VendorServer {
  protected override answer(): ServerAnswer {
    return { status: 200, body: { ok: true } };
  }
}

describe('the HTTP client of all CRM drivers', () => {
  let server: EchoServer;
  let http: OutboundHttpClient;
  beforeEach(async () => {
    server = await new EchoServer().listen();
    http = new OutboundHttpClient({ allowPrivate: true });
  });
  afterEach(async () => {
    await http.onModuleDestroy();
    await server.close();
  });

  const restOf = (auth: CrmAuth = { kind: 'key', key: 'canary' }, baseUrl = server.baseUrl, timeoutMs = 20_000) =>
    new CrmHttpClient({ http, timeoutMs, now: () => NOW }, { type: 'close', baseUrl, auth }, DIALECT);
  const errorOf = (rest: CrmHttpClient, request: CrmRequest) =>
    rest.send(request).then(
      () => {
        throw new Error('answered');
      },
      (error: unknown) => error,
    );

  it('sends the request to the base URL, with the key', async () => {
    const rest = restOf(undefined, `${server.baseUrl}/base/`);
    const query = { a: 'ä b', n: 5, many: ['x', 'y'], none: undefined };
    expect(await rest.send({ ...WRITE, query })).toMatchObject({ status: 200, json: { ok: true } });
    const [asked] = server.asked;
    expect(asked).toMatchObject({ method: 'POST', path: '/base/things', body: { name: 'x' } });
    expect(asked?.query.toString()).toBe('a=%C3%A4+b&n=5&many=x&many=y');
    expect(asked?.headers).toMatchObject({ authorization: 'key canary', 'content-type': 'application/json' });
    expect(rest.requests).toBe(1);
  });

  it.each([
    [400, 'rejected'],
    [401, 'unauthorised'],
    [403, 'forbidden'],
    [404, 'rejected'],
    [408, 'server'],
    [429, 'rate_limited'],
    [500, 'server'],
    [503, 'server'],
    [302, 'protocol'],
  ])('classifies status %i as %s when the vendor gives no details', async (status, reason) => {
    server.next({ status });
    expect(await errorOf(restOf(), READ)).toMatchObject({ reason, message: `Acme answered ${status}` });
  });

  it('lets the dialect classify a response, and a request accept additional statuses', async () => {
    const quota = { status: 403, body: { reason: 'quota', sentence: 'Enough for canary today.' } };
    server.next(quota, quota);
    const failing = errorOf(restOf(), READ);
    expect(await failing).toMatchObject({ reason: 'quota', message: 'Acme answered 403: Enough for *** today.' });
    expect(await restOf().send({ ...READ, takes: [403] })).toMatchObject({ status: 403 });
  });

  it('never repeats a key, even in its encoded form', async () => {
    const shown = Buffer.from('canary:').toString('base64');
    const dialect = { ...DIALECT, authorisation: () => ({ authorization: `Basic ${shown}` }) };
    server.next({ status: 400, body: { reason: 'rejected', sentence: `You sent Basic ${shown}.` } });
    const account = { type: 'close', baseUrl: server.baseUrl, auth: { kind: 'key', key: 'canary' } } as const;
    const rest = new CrmHttpClient({ http, timeoutMs: 5_000, now: () => NOW }, account, dialect);
    expect(await errorOf(rest, READ)).toMatchObject({ message: 'Acme answered 400: You sent Basic ***.' });
  });

  it.each([
    ['retry-after', '7', 7_000],
    ['retry-after', 'Wed, 25 Nov 2026 12:01:00 GMT', 60_000],
    ['retry-after', '999999', 86_400_000],
  ])('cools down as %s: %s asks', async (name, value, wait) => {
    const rest = restOf();
    server.next({ status: 429, headers: { [name]: value, date: NOW.toUTCString() } });
    expect(await errorOf(rest, READ)).toMatchObject({ retryAfterMs: wait });
    expect(rest.cooldownUntil).toEqual(new Date(NOW.getTime() + wait));
  });

  it('cools down when response headers ask for it, until a later response has room', async () => {
    const rest = restOf();
    server.next({ status: 200, headers: { 'x-rest': '5000' } });
    await rest.send(READ);
    expect(rest.cooldownUntil).toEqual(new Date(NOW.getTime() + 5_000));
    await rest.send(READ);
    expect(rest.cooldownUntil).toBeNull();
  });

  it('cools down after a refusal even when a later response has room', async () => {
    const rest = restOf();
    server.next({ status: 429, headers: { 'retry-after': '7' } });
    await errorOf(rest, READ);
    await rest.send(READ);
    expect(rest.cooldownUntil).toEqual(new Date(NOW.getTime() + 7_000));
  });

  it.each([
    ['500', { status: 500 }],
    ['502', { status: 502 }],
    ['a cut before the answer', 'cut'],
    ['half an answer', 'half'],
  ] as const)(
    'reports an unknown outcome for a write after %s, and only a failure for a read',
    async (_name, scripted) => {
      server.next(scripted, scripted, scripted);
      expect(await errorOf(restOf(), WRITE)).toBeInstanceOf(UnconfirmedWriteError);
      const searching = await errorOf(restOf(), { ...WRITE, isRead: true });
      const reading = await errorOf(restOf(), READ);
      for (const error of [searching, reading]) {
        expect(error).not.toBeInstanceOf(UnconfirmedWriteError);
        expect(error).toMatchObject({ failure: 'temporary' });
      }
    },
  );

  it.each([
    ['503, a server that has not begun', { status: 503 }],
    ['429', { status: 429 }],
    ['400', { status: 400 }],
  ])('reports that a write did not happen after %s', async (_name, scripted) => {
    server.next(scripted);
    expect(await errorOf(restOf(), WRITE)).not.toBeInstanceOf(UnconfirmedWriteError);
  });

  it('reports an unknown outcome for a write that times out', async () => {
    server.next('silence');
    const error = await errorOf(restOf(undefined, server.baseUrl, 100), WRITE);
    expect(error).toBeInstanceOf(UnconfirmedWriteError);
    expect(error).toMatchObject({ reason: 'timeout' });
  });

  it('does not connect to forbidden addresses', async () => {
    const guarded = new OutboundHttpClient({ allowPrivate: false });
    try {
      const account = { type: 'close', baseUrl: server.baseUrl, auth: { kind: 'key', key: 'canary' } } as const;
      const rest = new CrmHttpClient({ http: guarded, timeoutMs: 5_000, now: () => NOW }, account, DIALECT);
      expect(await errorOf(rest, READ)).toMatchObject({ reason: 'rejected', failure: 'permanent' });
      expect(server.count).toBe(0);
    } finally {
      await guarded.onModuleDestroy();
    }
  });

  it('sends a refused key once and requests no new one', async () => {
    server.next({ status: 401 });
    const rest = restOf();
    expect(await errorOf(rest, READ)).toMatchObject({ reason: 'unauthorised', failure: 'needs-human' });
    expect(rest.requests).toBe(1);
  });
});
