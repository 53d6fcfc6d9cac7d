import { type IncomingMessage } from 'node:http';
import { text } from 'node:stream/consumers';
import { toFailure } from '@platform/errors';
import { eventually } from '@testing';
import { OutboundError } from './outbound.errors';
import { OutboundHttpClient } from './outbound-http.client';
import { type OutboundRequest, type OutboundResponse } from './outbound-request';
import { closedPort, httpServer, tcpServer, type LocalServer } from './testing/local-server';

describe('OutboundHttpClient', () => {
  const http = new OutboundHttpClient({ allowPrivate: true });
  const servers: LocalServer[] = [];
  const using = async (starting: Promise<LocalServer>): Promise<LocalServer> => {
    const server = await starting;
    servers.push(server);
    return server;
  };
  const ask = (port: number, changes: Partial<OutboundRequest> = {}): Promise<OutboundResponse> =>
    http.request({
      url: `http://127.0.0.1:${port}/path/s3cret?token=s3cret`,
      method: 'GET',
      timeoutMs: 20_000,
      maxResponseBytes: 1000,
      ...changes,
    });
  const failure = async (port: number, changes: Partial<OutboundRequest> = {}): Promise<OutboundError> => {
    const error: unknown = await ask(port, changes).catch((thrown: unknown) => thrown);
    if (error instanceof OutboundError) return error;
    throw new Error('expected an OutboundError', { cause: error });
  };

  afterEach(async () => {
    await Promise.all(servers.splice(0).map((server) => server.close()));
  });
  afterAll(() => http.onModuleDestroy());

  it('sends method, path, query, headers and body as given, without requesting compression', async () => {
    let seen: Pick<IncomingMessage, 'method' | 'url' | 'headers'> & { body?: string } = { headers: {} };
    const server = await using(
      httpServer((req, res) => {
        void text(req).then((body) => {
          seen = { method: req.method, url: req.url, headers: req.headers, body };
          res.end('ok');
        });
      }),
    );
    await ask(server.port, { method: 'POST', headers: { 'X-Note': 'n' }, body: '{"ä":1}' });
    expect(seen).toMatchObject({ method: 'POST', url: '/path/s3cret?token=s3cret', body: '{"ä":1}' });
    expect(seen.headers).toMatchObject({ 'x-note': 'n', 'accept-encoding': 'identity', 'content-length': '8' });
    await ask(server.port, { method: 'PUT', body: Buffer.from([1, 2]) });
    expect(seen).toMatchObject({ method: 'PUT', body: '\x01\x02' });
  });

  it('rejects with the reason of the signal and disconnects; an aborted signal prevents the request', async () => {
    const server = await using(httpServer(() => undefined));
    const controller = new AbortController();
    const asking = ask(server.port, { signal: controller.signal }).catch((thrown: unknown) => thrown);
    await eventually('it has arrived', () => server.connections() === 1);
    const reason = new Error('enough');
    controller.abort(reason);
    expect(await asking).toBe(reason);
    await server.disconnected;
    expect(await ask(server.port, { signal: controller.signal }).catch((thrown: unknown) => thrown)).toBe(reason);
    expect(server.connections()).toBe(1);
  });

  it('returns status, lower-case headers, body and address for any status', async () => {
    const server = await using(
      httpServer((_, res) => res.writeHead(503, { 'Retry-After': '7', 'Set-Cookie': ['a=1', 'b=2'] }).end('bäd')),
    );
    expect(await ask(server.port)).toMatchObject({
      status: 503,
      headers: { 'retry-after': '7', 'set-cookie': 'a=1, b=2' },
      body: Buffer.from('bäd'),
      truncated: false,
      url: `http://127.0.0.1:${server.port}/path/s3cret?token=s3cret`,
    });
  });

  it('returns a compressed body unchanged', async () => {
    const server = await using(
      httpServer((_, res) => res.writeHead(200, { 'content-encoding': 'gzip' }).end('not gzip')),
    );
    expect((await ask(server.port)).body.toString()).toBe('not gzip');
  });

  it('reuses connections', async () => {
    const server = await using(httpServer((_, res) => res.end()));
    for (let i = 0; i < 20; i++) await ask(server.port);
    expect(server.connections()).toBeLessThan(5);
  });

  it('opens a separate connection for each concurrent request to one server', async () => {
    const waiting: (() => void)[] = [];
    const server = await using(
      httpServer((_, res) => {
        waiting.push(() => res.end());
        if (waiting.length === 10) for (const answer of waiting) answer();
      }),
    );
    await Promise.all(Array.from({ length: 10 }, () => ask(server.port)));
    expect(server.connections()).toBe(10);
  });

  it.each([
    [10, 10, false],
    [11, 10, true],
    [1, 0, true],
    [0, 0, false],
    [300_000, 100_000, true],
  ])(
    'with a body of %i bytes and a limit of %i reports truncation: %s',
    async (length, maxResponseBytes, truncated) => {
      const server = await using(httpServer((_, res) => res.end(Buffer.alloc(length, 'x'))));
      const response = await ask(server.port, { maxResponseBytes });
      expect(response.body.toString()).toBe('x'.repeat(Math.min(length, maxResponseBytes)));
      expect(response.truncated).toBe(truncated);
    },
  );

  it('disconnects from a body without an end', async () => {
    const server = await using(
      httpServer((_, res) => {
        const pour = (): void => {
          while (!res.destroyed && res.write(Buffer.alloc(10_000)));
          res.once('drain', pour);
        };
        pour();
      }),
    );
    const response = await ask(server.port, { maxResponseBytes: 20_000 });
    expect(response).toMatchObject({ status: 200, truncated: true });
    expect(response.body).toHaveLength(20_000);
    await server.disconnected;
  });

  describe('without a response', () => {
    it.each<[string, Parameters<typeof tcpServer>[0]]>([
      ['says nothing', () => undefined],
      ['stops within the headers', (socket) => socket.write('HTTP/1.1 200 OK\r\ncontent-')],
      ['stops within the body', (socket) => socket.write('HTTP/1.1 200 OK\r\ncontent-length: 9\r\n\r\nhalf')],
      ['sends interim answers only', (socket) => socket.write('HTTP/1.1 103 Early Hints\r\n\r\n')],
    ])('times out for a server that %s, and disconnects', async (_, onConnection) => {
      const server = await using(tcpServer(onConnection));
      const error = await failure(server.port, { timeoutMs: 100 });
      expect(error).toMatchObject({ reason: 'timeout', retry: true, ambiguous: false, cause: { name: 'AbortError' } });
      expect(error.message).toBe(`127.0.0.1:${server.port} did not answer within 100 ms`);
      await server.disconnected;
    });

    it('includes all redirects in the timeout', async () => {
      const server = await using(
        httpServer((req, res) => {
          if (req.url === '/last') return;
          res.writeHead(302, { location: '/last' }).end();
        }),
      );
      expect((await failure(server.port, { timeoutMs: 200, followRedirects: 5 })).reason).toBe('timeout');
    });

    it('includes DNS in the timeout', async () => {
      const stuck = new OutboundHttpClient({ allowPrivate: true, lookup: () => new Promise(() => undefined) });
      const request = { url: 'http://stuck.test/', method: 'GET', timeoutMs: 50, maxResponseBytes: 1 } as const;
      await expect(stuck.request(request)).rejects.toMatchObject({ reason: 'timeout' });
      await stuck.onModuleDestroy();
    });

    it('sends no request after the timeout, even when the name resolves later', async () => {
      const seen: string[] = [];
      const server = await using(
        httpServer((req, res) => {
          seen.push(req.url ?? '');
          res.end();
        }),
      );
      const { promise: late, resolve: answer } = Promise.withResolvers<string[]>();
      const lookups = [late, Promise.resolve(['127.0.0.1'])];
      const client = new OutboundHttpClient({ allowPrivate: true, lookup: () => lookups.shift() ?? late });
      const post = (path: string, timeoutMs: number): Promise<OutboundResponse> =>
        client.request({
          url: `http://slow.test:${server.port}${path}`,
          method: 'POST',
          timeoutMs,
          maxResponseBytes: 9,
        });
      await expect(post('/first', 50)).rejects.toMatchObject({ reason: 'timeout' });
      answer(['127.0.0.1']);
      await post('/second', 20_000);
      await post('/third', 20_000);
      await client.onModuleDestroy();
      expect(seen).toEqual(['/second', '/third']);
    });

    it('reports that nothing listens', async () => {
      const error = await failure(await closedPort(), { method: 'POST' });
      expect(error).toMatchObject({
        reason: 'connect',
        retry: true,
        ambiguous: false,
        cause: { code: 'ECONNREFUSED' },
      });
      expect(toFailure(error)).toBe('temporary');
    });

    it.each<[string, Parameters<typeof tcpServer>[0], string]>([
      ['disconnects', (socket) => socket.destroy(), 'connect'],
      [
        'disconnects within the body',
        (socket) => socket.end('HTTP/1.1 200 OK\r\ncontent-length: 9\r\n\r\nhalf'),
        'connect',
      ],
      ['does not speak HTTP', (socket) => socket.end('220 s3cret ESMTP\r\n'), 'protocol'],
      [
        'sends a header that is too large',
        (socket) => socket.write(`HTTP/1.1 200 OK\r\nx: ${'y'.repeat(20_000)}\r\n\r\n`),
        'protocol',
      ],
      [
        'switches protocols',
        (socket) => socket.write('HTTP/1.1 101 x\r\nupgrade: x\r\nconnection: upgrade\r\n\r\n'),
        'connect',
      ],
    ])('reports for a server that %s whether the request may have been processed', async (_, onConnection, reason) => {
      const server = await using(tcpServer((socket) => void socket.once('data', () => onConnection(socket))));
      const get = await failure(server.port);
      expect(get).toMatchObject({ reason, retry: true, ambiguous: false });
      expect(['cause' in get, toFailure(get)]).toEqual([true, 'temporary']);
      const post = await failure(server.port, { method: 'POST', body: 'x' });
      expect([post.ambiguous, toFailure(post)]).toEqual([true, 'ambiguous']);
      for (const error of [get, post]) {
        expect(`${error.message} ${String(error.cause)} ${JSON.stringify(error.cause)}`).not.toContain('s3cret');
      }
    });

    it('rejects a header with a line break before it connects', async () => {
      const server = await using(httpServer((_, res) => res.end()));
      expect(await failure(server.port, { headers: { 'x-note': 'a\r\nb' } })).toMatchObject({
        reason: 'protocol',
        retry: false,
      });
      expect(server.connections()).toBe(0);
    });
  });

  it('waits for open requests when the module is destroyed and then accepts no more', async () => {
    const { promise: arrived, resolve: arrive } = Promise.withResolvers<() => void>();
    const server = await using(httpServer((_, res) => arrive(() => res.end('late'))));
    const client = new OutboundHttpClient({ allowPrivate: true });
    const request = {
      url: `http://127.0.0.1:${server.port}/`,
      method: 'POST',
      timeoutMs: 20_000,
      maxResponseBytes: 9,
    } as const;
    const inFlight = client.request(request);
    const answer = await arrived;
    const destroyed = client.onModuleDestroy();
    await expect(client.request(request)).rejects.toMatchObject({ reason: 'connect', retry: true, ambiguous: false });
    answer();
    expect((await inFlight).body.toString()).toBe('late');
    await destroyed;
    await server.disconnected;
  });
});
