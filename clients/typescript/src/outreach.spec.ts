import { ApiError, ConnectionError, createOutreach, type OutreachOptions } from './index.ts';

interface Asked {
  method: string;
  url: string;
  headers: Headers;
  body: unknown;
  redirect: RequestInit['redirect'];
}

type Reply = Response | Error | ((signal: AbortSignal) => Promise<Response>);

/** Creates a client with scripted responses in order; it records the requests and the pauses. */
function client(replies: Reply[], options: Partial<OutreachOptions> = {}) {
  const asked: Asked[] = [];
  const pauses: number[] = [];
  const outreach = createOutreach({
    baseUrl: 'https://mail.example.com/outreach/',
    apiKey: 'sk_1',
    fetch: async (url, { method = '', headers, body, redirect, signal }) => {
      asked.push({ method, url, headers: headers as Headers, body, redirect });
      const reply = replies.shift();
      if (reply === undefined || reply instanceof Error) throw reply ?? new Error('asked too often');
      return typeof reply === 'function' ? reply(signal!) : reply;
    },
    pause: async (ms) => void pauses.push(ms),
    ...options,
  });
  return { outreach, asked, pauses };
}

const ok = (data: unknown) => Response.json({ success: true, data });
const page = (data: unknown[], nextCursor: string | null) =>
  Response.json({ success: true, data, pagination: { limit: 2, total: 3, hasMore: nextCursor !== null, nextCursor } });
const formB = (status: number, code: string, more: object = {}, headers: Record<string, string> = {}) =>
  Response.json({ success: false, error: { code, message: `It is ${code}`, ...more } }, { status, headers });
const formA = (status: number, error: string, headers: Record<string, string> = {}) =>
  Response.json({ error, message: `It is ${error}`, code: status }, { status, headers });
/** Starts a server that accepts requests and never responds. */
const silent = (signal: AbortSignal) =>
  new Promise<Response>((_done, failed) => signal.addEventListener('abort', () => failed(signal.reason as Error)));

describe('a request', () => {
  it('is sent below the base address, with encoded ids', async () => {
    const { outreach, asked } = client([ok({ _id: 'a/b' })]);
    expect(await outreach.mailboxes.get('a/b?c')).toEqual({ _id: 'a/b' });
    expect(asked[0]).toMatchObject({
      method: 'GET',
      url: 'https://mail.example.com/outreach/v1/mailboxes/a%2Fb%3Fc',
    });
  });

  it.each(['', '.', '..'])('is not sent for the id "%s", which would change the path', async (id) => {
    const { outreach, asked } = client([ok({})]);
    await expect(outreach.campaigns.delete(id)).rejects.toThrow(`campaignId is "${id}", which is no id`);
    expect(asked).toEqual([]);
  });

  it('follows no redirect, which could send the key to another server', async () => {
    const { outreach, asked } = client([ok({}), ok({}), page([], null), new Response('email\n')]);
    await outreach.mailboxes.get('m');
    await outreach.campaigns.create({ name: 'A' });
    await outreach.events.list();
    await outreach.campaigns.leads.export('c');
    expect(asked.map(({ redirect }) => redirect)).toEqual(Array(4).fill('manual'));
  });

  it('acts in the workspace of the client, or of the call', async () => {
    const { outreach, asked } = client([ok({}), ok({}), ok({})], { workspaceId: 'w1' });
    await outreach.mailboxes.get('m');
    await outreach.mailboxes.get('m', { workspaceId: 'w2' });
    expect(asked.map(({ headers }) => headers.get('x-workspace-id'))).toEqual(['w1', 'w2']);
  });

  it('omits undefined values, and sends an empty body where the body is optional', async () => {
    const { outreach, asked } = client([page([], null), ok({})]);
    await outreach.campaigns.list({ search: 'a & b', limit: 5, status: undefined as never });
    await outreach.agents.train('a1');
    expect(asked[0]?.url).toMatch(/\/v1\/campaigns\?search=a\+%26\+b&limit=5$/);
    expect(asked[1]?.body).toBe('{}');
  });

  it('sends and returns a file unchanged', async () => {
    const csv = new Blob(['email\nada@example.com\n']);
    const { outreach, asked } = client([
      ok({ _id: 'i' }),
      new Response('email\n', { headers: { 'content-type': 'text/csv' } }),
    ]);
    await outreach.campaigns.leads.import('c', csv, { fileName: 'fair.csv' });
    expect(asked[0]?.body).toBe(csv);
    expect(asked[0]?.headers.get('content-type')).toBe('text/csv');
    const file = await outreach.campaigns.leads.export('c');
    expect([file.headers.get('content-type'), await file.text()]).toEqual(['text/csv', 'email\n']);
  });
});

describe('a list', () => {
  it('resolves to its first page when awaited', async () => {
    const { outreach, asked } = client([page(['a', 'b'], 'next')]);
    const { data, pagination } = await outreach.events.list({ limit: 2 });
    expect([data, pagination.hasMore, asked.length]).toEqual([['a', 'b'], true, 1]);
  });

  it('iterates over all its records, one page per request', async () => {
    const { outreach, asked } = client([page(['a', 'b'], 'n&1'), page(['c'], null)]);
    const seen: unknown[] = [];
    for await (const one of outreach.events.list({ limit: 2 })) seen.push(one);
    expect(seen).toEqual(['a', 'b', 'c']);
    expect(asked.map(({ url }) => url.split('?')[1])).toEqual(['limit=2', 'limit=2&cursor=n%261']);
  });

  it('requests no unneeded page', async () => {
    const { outreach, asked } = client([page(['a', 'b'], 'next')]);
    for await (const one of outreach.events.list()) if ((one as unknown) === 'b') break;
    expect(asked).toHaveLength(1);
  });

  it('iterates over numbered pages as well', async () => {
    const numbered = (data: unknown[], at: number) =>
      Response.json({ success: true, data, pagination: { page: at, limit: 1, total: 2, totalPages: 2 } });
    const { outreach, asked } = client([numbered(['a'], 1), numbered(['b'], 2)]);
    const seen: unknown[] = [];
    for await (const one of outreach.enrichment.jobs.list({ limit: 1 })) seen.push(one);
    expect(seen).toEqual(['a', 'b']);
    expect(asked[1]?.url).toMatch(/\?limit=1&page=2$/);
  });

  it('fails when a page fails', async () => {
    const { outreach } = client([page(['a'], 'next'), formB(400, 'VALIDATION_ERROR')]);
    const seen: unknown[] = [];
    const all = async () => {
      for await (const one of outreach.events.list()) seen.push(one);
    };
    await expect(all()).rejects.toMatchObject({ code: 'VALIDATION_ERROR' });
    expect(seen).toEqual(['a']);
  });
});

describe('an error response', () => {
  const refused = async (reply: Response) => {
    const { outreach } = client([reply], { retries: 0 });
    return outreach.mailboxes.get('m').catch((error: unknown) => error as ApiError);
  };

  it('in the envelope form contains code, message and fields', async () => {
    const details = [{ field: 'name', message: 'must not be empty' }];
    const error = await refused(formB(400, 'VALIDATION_ERROR', { details }, { 'x-request-id': 'r1' }));
    expect(error).toBeInstanceOf(ApiError);
    expect(error).toMatchObject({
      status: 400,
      code: 'VALIDATION_ERROR',
      message: 'It is VALIDATION_ERROR',
      details,
      requestId: 'r1',
    });
  });

  it('in the HTTP form has a code like the others', async () => {
    const error = await refused(formA(404, 'Not Found'));
    expect(error).toMatchObject({ status: 404, code: 'NOT_FOUND', message: 'It is Not Found', details: [] });
  });

  it('contains the wait time and the request id', async () => {
    expect(await refused(formA(429, 'Too Many Requests', { 'retry-after': '9' }))).toMatchObject({
      code: 'TOO_MANY_REQUESTS',
      retryAfterMs: 9_000,
    });
    const fault = Response.json(
      { success: false, error: { code: 'INTERNAL_ERROR', message: 'A fault', errorId: 'e9' } },
      { status: 500 },
    );
    expect(await refused(fault)).toMatchObject({ status: 500, code: 'INTERNAL_ERROR', errorId: 'e9' });
  });

  it.each([
    ['a page of a proxy', () => new Response('<html>', { status: 502 })],
    ['a page of a proxy with a success status', () => new Response('<html>')],
    ['unrelated JSON', () => Response.json({ ok: true })],
    [
      'a redirect to another address, which does not receive the key',
      () => new Response(null, { status: 302, headers: { location: 'https://else.example' } }),
    ],
  ])('is also created for %s', async (_what, reply) => {
    expect(await refused(reply())).toMatchObject({ name: 'ApiError', code: 'UNEXPECTED_ANSWER' });
  });
});

describe('a failed request', () => {
  it('is retried after the requested pause, a POST with the same key', async () => {
    const { outreach, asked, pauses } = client([
      formA(429, 'Too Many Requests', { 'retry-after': '2' }),
      formA(503, 'Service Unavailable'),
      ok({ _id: 'c' }),
    ]);
    expect(await outreach.campaigns.create({ name: 'Autumn' })).toEqual({ _id: 'c' });
    expect(pauses).toEqual([2_000, expect.any(Number)]);
    expect(new Set(asked.map(({ headers }) => headers.get('idempotency-key'))).size).toBe(1);
    expect(asked.map(({ body }) => body)).toEqual(Array(3).fill('{"name":"Autumn"}'));
  });

  it('has a new key at the next call, or the caller’s own', async () => {
    const { outreach, asked } = client([ok({}), ok({}), ok({})]);
    await outreach.campaigns.create({ name: 'A' });
    await outreach.campaigns.create({ name: 'A' });
    await outreach.campaigns.create({ name: 'A' }, { idempotencyKey: 'mine' });
    const keys = asked.map(({ headers }) => headers.get('idempotency-key'));
    expect(new Set(keys).size).toBe(3);
    expect(keys[2]).toBe('mine');
  });

  it('fails after three retries, or as many as configured', async () => {
    const broken = () => Array.from({ length: 9 }, () => new TypeError('fetch failed'));
    const [usual, never] = [client(broken()), client(broken(), { retries: 0 })];
    await expect(usual.outreach.mailboxes.get('m')).rejects.toThrow(ConnectionError);
    await expect(never.outreach.mailboxes.get('m')).rejects.toThrow('No answer from mail.example.com');
    expect([usual.asked.length, never.asked.length]).toEqual([4, 1]);
    await expect(never.outreach.mailboxes.get('m', { retries: 1 })).rejects.toThrow(ConnectionError);
    expect(never.asked.length).toBe(3);
  });

  it('is not retried when it may have been processed', async () => {
    const { outreach, asked } = client([new TypeError('fetch failed'), ok({})]);
    await expect(outreach.campaigns.update('c', { name: 'B' })).rejects.toMatchObject({ timedOut: false });
    expect(asked).toHaveLength(1);
  });

  it('includes an incomplete response', async () => {
    const broken = new Response(new ReadableStream({ pull: (stream) => stream.error(new Error('cut off')) }));
    const { outreach } = client([broken, ok({ _id: 'm' })]);
    expect(await outreach.mailboxes.get('m')).toEqual({ _id: 'm' });
  });

  it('includes a timeout, once', async () => {
    const { outreach, asked } = client([silent, ok({})]);
    const call = outreach.mailboxes.get('m', { timeoutMs: 1 });
    await expect(call).rejects.toMatchObject({ message: 'No answer within 1 ms', timedOut: true });
    expect(asked).toHaveLength(1);
  });

  it('rejects with the caller’s reason after an abort', async () => {
    const reason = new Error('The user went away');
    const { outreach, asked } = client([silent]);
    await expect(outreach.mailboxes.get('m', { signal: AbortSignal.abort(reason) })).rejects.toBe(reason);
    expect(asked).toEqual([]);
    const ending = new AbortController();
    const call = outreach.mailboxes.get('m', { signal: ending.signal });
    ending.abort(reason);
    await expect(call).rejects.toBe(reason);
    expect(asked).toHaveLength(1);
  });

  it('leaves no listener on a long-lived signal, except during a download', async () => {
    const { signal } = new AbortController();
    const [added, removed] = [jest.spyOn(signal, 'addEventListener'), jest.spyOn(signal, 'removeEventListener')];
    const { outreach } = client([ok({}), formB(404, 'NOT_FOUND'), new Response('email\n')]);
    await outreach.mailboxes.get('m', { signal });
    await expect(outreach.mailboxes.get('m', { signal })).rejects.toMatchObject({ code: 'NOT_FOUND' });
    expect([added.mock.calls.length, removed.mock.calls.length]).toEqual([2, 2]);
    await outreach.campaigns.leads.export('c', {}, { signal });
    expect([added.mock.calls.length, removed.mock.calls.length]).toEqual([3, 2]);
  });

  it('stops waiting after an abort between two attempts', async () => {
    const reason = new Error('The user went away');
    const ending = new AbortController();
    const replies = [formA(503, 'Service Unavailable', { 'retry-after': '60' }), ok({})];
    const asked: string[] = [];
    const outreach = createOutreach({
      baseUrl: 'https://mail.example.com',
      apiKey: 'sk_1',
      fetch: async (url) => {
        asked.push(url);
        setImmediate(() => ending.abort(reason));
        return replies.shift()!;
      },
    });
    await expect(outreach.mailboxes.get('m', { signal: ending.signal })).rejects.toBe(reason);
    expect(asked).toHaveLength(1);
  });
});
