import { OutboundError, type OutboundRequest, type OutboundResponse } from '@platform/outbound';
import { PlatformClient } from './platform.client';
import { ToolRefusedError } from './tool-refused.errors';

const KEY = 'sk_0123456789abcdef0123';
const config = { url: 'https://outreach.test/base', apiKey: KEY, workspace: '', timeoutMs: 1_000 };
const read = { method: 'GET', path: '/v1/campaigns?limit=1', body: undefined };
const write = { method: 'POST', path: '/v1/suppressions', body: { addresses: ['a@b.test'] } };
const waiting = new AbortController().signal;

type Scripted = Partial<Omit<OutboundResponse, 'body'>> & { body?: unknown };

function response({ body, ...more }: Scripted): OutboundResponse {
  const text = typeof body === 'string' ? body : JSON.stringify(body ?? { success: true, data: 1 });
  const headers = { 'content-type': 'application/json; charset=utf-8' };
  const usual = { status: 200, headers, truncated: false, incomplete: false, url: '' };
  return { ...usual, ...more, body: Buffer.from(text) };
}

/** A platform with scripted responses in order; the last one repeats. */
function platform(script: readonly (Scripted | Error)[], own: Partial<typeof config> = {}) {
  const asked: OutboundRequest[] = [];
  const waits: number[] = [];
  const http = {
    request: (request: OutboundRequest) => {
      asked.push(request);
      const next = script[Math.min(asked.length, script.length) - 1];
      return next instanceof Error ? Promise.reject(next) : Promise.resolve(response(next ?? {}));
    },
  };
  const wait = (ms: number, signal: AbortSignal) => {
    waits.push(ms);
    return signal.aborted ? Promise.reject(signal.reason as Error) : Promise.resolve();
  };
  return { api: new PlatformClient(http, { ...config, ...own }, wait), asked, waits };
}

const formA = (error: string, message: string, code: number) => ({ error, message, code });
const formB = (code: string, message: string) => ({ success: false, error: { code, message } });
const tooMany = (after: string): Scripted => ({
  status: 429,
  headers: { 'retry-after': after, 'content-type': 'application/json' },
  body: formA('Too Many Requests', 'Slow down', 429),
});

describe('PlatformClient', () => {
  it('sends the key, in both headers for five endpoints, and returns the content of the envelope', async () => {
    const pagination = { nextCursor: null };
    const { api, asked } = platform([{ body: { success: true, data: [1], pagination } }]);
    expect(await api.request(read, waiting)).toMatchObject({ data: [1], pagination });
    expect(asked).toHaveLength(1);
    expect(asked[0]).toMatchObject({ url: 'https://outreach.test/base/v1/campaigns?limit=1', method: 'GET' });
    expect(asked[0]?.headers).toMatchObject({ 'x-api-key': KEY, authorization: `Bearer ${KEY}` });
    expect(asked[0]?.headers).not.toHaveProperty('x-workspace-id');
    expect(asked[0]?.headers).not.toHaveProperty('idempotency-key');
    expect(asked[0]?.followRedirects ?? 0).toBe(0); // The key is sent to no other server.
  });

  it('acts in the configured workspace', async () => {
    const workspace = 'a'.repeat(24);
    const { api, asked } = platform([{}], { workspace });
    await api.request(read, waiting);
    expect(asked[0]?.headers).toMatchObject({ 'x-workspace-id': workspace });
  });

  it('returns plain text unchanged', async () => {
    const { api } = platform([{ headers: { 'content-type': 'text/plain; charset=utf-8' }, body: 'A report' }]);
    expect(await api.request(read, waiting)).toEqual({ data: 'A report' });
  });

  it('sends one Idempotency-Key with all attempts of a POST, and a new key with the next POST', async () => {
    const lost = new OutboundError('connect', 'The connection was lost', { retry: true, ambiguous: true });
    const { api, asked } = platform([lost, { status: 409, body: formB('IDEMPOTENCY_CONFLICT', 'Still running') }, {}]);
    await api.request(write, waiting);
    await api.request(write, waiting);
    const keys = asked.map(({ headers }) => headers?.['idempotency-key']);
    expect(keys[0]).toMatch(/^[\da-f-]{36}$/);
    expect(keys).toEqual([keys[0], keys[0], keys[0], expect.any(String)]);
    expect(keys[3]).not.toBe(keys[0]);
    expect(asked[0]?.body).toBe('{"addresses":["a@b.test"]}');
  });

  it('waits as long as the rate limit requires', async () => {
    const { api, waits } = platform([tooMany('7'), tooMany('0'), {}]);
    expect(await api.request(read, waiting)).toMatchObject({ data: 1 });
    expect(waits).toEqual([7_000, 0]);
  });

  it('reports when to retry instead of waiting for a long time', async () => {
    const { api, asked, waits } = platform([tooMany('60')]);
    await expect(api.request(read, waiting)).rejects.toMatchObject({
      fields: { code: 'TOO_MANY_REQUESTS', status: 429, message: 'Slow down', retryAfterSeconds: 60 },
    });
    expect([asked.length, waits]).toEqual([1, []]);
  });

  it('makes four attempts with growing pauses', async () => {
    const away = { status: 503, body: formA('Service Unavailable', 'The database is away', 503) };
    const { api, asked, waits } = platform([away]);
    await expect(api.request(read, waiting)).rejects.toMatchObject({ fields: { code: 'SERVICE_UNAVAILABLE' } });
    expect([asked.length, waits]).toEqual([4, [500, 1_000, 2_000]]);
  });

  it.each([
    [400, formB('VALIDATION_ERROR', 'Not valid'), { code: 'VALIDATION_ERROR', status: 400, message: 'Not valid' }],
    [404, formB('NOT_FOUND', 'Campaign not found'), { code: 'NOT_FOUND', status: 404 }],
    [401, formA('Unauthorized', 'No such key', 401), { code: 'UNAUTHORIZED', status: 401, message: 'No such key' }],
    [403, formA('Forbidden', 'Missing: admin', 403), { code: 'FORBIDDEN', status: 403 }],
    [500, { ...formA('Internal Server Error', 'Oops', 500), errorId: 'e1' }, { status: 500, errorId: 'e1' }],
    [302, '<html>Moved</html>', { code: 'UNEXPECTED_ANSWER', message: expect.stringContaining('OUTREACH_URL') }],
    [200, '<html>A login page</html>', { code: 'UNEXPECTED_ANSWER', message: expect.stringContaining('OUTREACH_URL') }],
    [200, 'null', { code: 'UNEXPECTED_ANSWER' }],
    [418, '', { code: 'UNEXPECTED_ANSWER', status: 418 }],
  ])('treats %d with %j as final, after one request', async (status, body, fields) => {
    const { api, asked } = platform([{ status, body }]);
    const refused = await api.request(read, waiting).catch((error: unknown) => error);
    expect(refused).toBeInstanceOf(ToolRefusedError);
    expect(refused).toMatchObject({ fields });
    expect(asked).toHaveLength(1);
  });

  it.each([
    ['retryable connection failures', { retry: true }, 4],
    ['other connection failures', {}, 1],
  ])('retries %s as expected', async (_what, options, attempts) => {
    const { api, asked } = platform([new OutboundError('tls', 'No trusted TLS connection', options)]);
    await expect(api.request(read, waiting)).rejects.toMatchObject({
      fields: { code: 'UNREACHABLE', message: 'No trusted TLS connection' },
    });
    expect(asked).toHaveLength(attempts);
  });

  it('rejects a truncated response', async () => {
    const { api } = platform([{ truncated: true }]);
    await expect(api.request(read, waiting)).rejects.toMatchObject({ fields: { code: 'ANSWER_TOO_LARGE' } });
  });

  it('stops waiting when its caller aborts', async () => {
    const gone = AbortSignal.abort(new Error('cancelled'));
    const { api, asked } = platform([tooMany('1')]);
    await expect(api.request(read, gone)).rejects.toThrow('cancelled');
    expect(asked).toHaveLength(1);
    expect(asked[0]?.signal).toBe(gone);
  });
});
