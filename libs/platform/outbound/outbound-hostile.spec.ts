import { type Socket } from 'node:net';
import { gzipSync } from 'node:zlib';
import { OutboundHttpClient } from './outbound-http.client';
import { type OutboundRequest, type OutboundResponse } from './outbound-request';
import { httpServer, tcpServer, type LocalServer } from './testing/local-server';

const OK = 'HTTP/1.1 200 OK\r\n';

/** Writes the start, then a piece every few milliseconds until the client disconnects. */
function drip(socket: Socket, start: string, piece: string): void {
  socket.write(start);
  const timer = setInterval(() => socket.write(piece), 5);
  socket.once('close', () => clearInterval(timer));
}

/** Writes as fast as possible until the client disconnects. */
function pour(socket: Socket, piece: string): void {
  const much = piece.repeat(Math.ceil(16_000 / piece.length));
  const more = (): void => {
    if (!socket.destroyed) socket.write(much, () => setImmediate(more));
  };
  more();
}

describe('OutboundHttp with a hostile server', () => {
  const http = new OutboundHttpClient({ allowPrivate: true });
  const servers: LocalServer[] = [];
  const using = async (starting: Promise<LocalServer>): Promise<LocalServer> => {
    const server = await starting;
    servers.push(server);
    return server;
  };
  /** Starts a server that runs the handler after the first data. */
  const answering = (onRequest: (socket: Socket, request: string) => void): Promise<LocalServer> =>
    using(tcpServer((socket) => void socket.on('data', (data) => onRequest(socket, data.toString('latin1')))));
  const ask = (port: number, changes: Partial<OutboundRequest> = {}): Promise<OutboundResponse> =>
    http.request({
      url: `http://127.0.0.1:${port}/`,
      method: 'POST',
      body: 'x',
      timeoutMs: 20_000,
      maxResponseBytes: 20_000,
      ...changes,
    });

  afterEach(async () => {
    await Promise.all(servers.splice(0).map((server) => server.close()));
  });
  afterAll(() => http.onModuleDestroy());

  describe('that is slow', () => {
    it.each<[string, (socket: Socket) => void]>([
      ['drips its status line', (socket) => drip(socket, 'HTTP/1.1 200 ', 'x')],
      ['drips a header', (socket) => drip(socket, OK, 'x')],
      ['drips headers', (socket) => drip(socket, OK, 'x: y\r\n')],
      ['drips interim answers', (socket) => drip(socket, '', 'HTTP/1.1 103 Early Hints\r\nlink: x\r\n\r\n')],
      ['drips its body', (socket) => drip(socket, `${OK}content-length: 9999\r\n\r\n`, 'x')],
      ['drips chunks', (socket) => drip(socket, `${OK}transfer-encoding: chunked\r\n\r\n`, '1\r\nx\r\n')],
    ])('one that %s is stopped at the timeout of the request', async (_, onRequest) => {
      const server = await using(tcpServer((socket) => void socket.once('data', () => onRequest(socket))));
      await expect(ask(server.port, { timeoutMs: 150 })).rejects.toMatchObject({
        reason: 'timeout',
        retry: true,
        ambiguous: true,
      });
      await server.disconnected;
    });

    it('one that never reads the request is stopped at the timeout', async () => {
      const { promise: held, resolve: hold } = Promise.withResolvers<Socket>();
      const server = await using(tcpServer((socket) => hold(socket.pause())));
      const body = 'x'.repeat(20_000_000);
      await expect(ask(server.port, { timeoutMs: 2_000, body })).rejects.toMatchObject({
        reason: 'timeout',
        ambiguous: true,
      });
      (await held).resume();
      await server.disconnected;
    });

    it('does not delay other requests', async () => {
      const server = await using(
        tcpServer((socket) => void socket.once('data', () => pour(socket, 'HTTP/1.1 103 Early Hints\r\n\r\n'))),
      );
      const friendly = await using(httpServer((_, res) => res.end('ok')));
      const controller = new AbortController();
      const pouring = Promise.allSettled(
        Array.from({ length: 10 }, () => ask(server.port, { signal: controller.signal })),
      );
      for (let i = 0; i < 20; i++) expect((await ask(friendly.port)).status).toBe(200);
      controller.abort(new Error('enough'));
      await pouring;
    });
  });

  describe('that sends without end', () => {
    it.each<[string, string, string]>([
      ['header', OK, 'x'],
      ['headers', OK, 'x: y\r\n'],
      ['trailers', `${OK}transfer-encoding: chunked\r\n\r\n0\r\n`, 'x: y\r\n'],
      ['bytes that are not HTTP', '', 'x'],
    ])('%s is rejected as a protocol error', async (_, start, piece) => {
      const server = await answering((socket) => {
        socket.write(start);
        pour(socket, piece);
      });
      await expect(ask(server.port)).rejects.toMatchObject({ reason: 'protocol', ambiguous: true });
      await server.disconnected;
    });

    it.each<[string, string, string]>([
      ['a status line', 'HTTP/1.1 200 ', 'x'],
      ['interim answers', '', 'HTTP/1.1 103 Early Hints\r\n\r\n'],
      ['extensions of a chunk', `${OK}transfer-encoding: chunked\r\n\r\n5;`, 'x=y;'],
    ])('%s is stopped at the timeout', async (_, start, piece) => {
      const server = await answering((socket) => {
        socket.write(start);
        pour(socket, piece);
      });
      await expect(ask(server.port, { timeoutMs: 200 })).rejects.toMatchObject({
        reason: 'timeout',
      });
      await server.disconnected;
    });

    it('a body with a wrong length is cut at the limit', async () => {
      const server = await answering((socket) => {
        socket.write(`${OK}content-length: 9007199254740991\r\n\r\n`);
        pour(socket, 'x');
      });
      const response = await ask(server.port);
      expect([response.status, response.truncated, response.incomplete]).toEqual([200, true, false]);
      expect(response.body).toHaveLength(20_000);
      await server.disconnected;
    });
  });

  it.each(['gzip', 'deflate', 'br', 'zstd', 'gzip, gzip'])(
    'does not decompress a body with the encoding %s',
    async (encoding) => {
      const bomb = gzipSync(gzipSync(Buffer.alloc(20_000_000)));
      const server = await using(
        httpServer((_, res) => res.writeHead(200, { 'content-encoding': encoding }).end(bomb)),
      );
      const response = await ask(server.port, { maxResponseBytes: 1_000_000 });
      expect([response.body.equals(bomb), response.headers['content-encoding']]).toEqual([true, encoding]);
    },
  );

  describe('that attempts request smuggling', () => {
    it('sends one request, whatever its body contains', async () => {
      let seen = '';
      const server = await answering((socket, data) => {
        seen += data;
        if (seen.endsWith('END')) socket.end(`${OK}content-length: 0\r\n\r\n`);
      });
      const body = 'a\r\n\r\nPOST /second HTTP/1.1\r\nhost: x\r\ncontent-length: 3\r\n\r\nEND';
      await ask(server.port, { url: `http://127.0.0.1:${server.port}/a b\r\nx: y?\r\n\r\nGET /`, body });
      const [head = '', ...rest] = seen.split('\r\n\r\n');
      expect(rest.join('\r\n\r\n')).toBe(body);
      expect(head.split('\r\n').toSorted()).toEqual([
        'POST /a%20bx:%20y?GET%20/ HTTP/1.1',
        'accept-encoding: identity',
        'connection: keep-alive',
        `content-length: ${body.length}`,
        `host: 127.0.0.1:${server.port}`,
      ]);
    });

    it.each<[string, Record<string, string>]>([
      ['a second length', { 'Content-Length': '0' }],
      ['another framing', { 'Transfer-Encoding': 'chunked' }],
      ['another framing, with a space in the name', { 'Transfer-Encoding ': 'chunked' }],
      ['a line break', { 'x-note': 'a\r\nTransfer-Encoding: chunked' }],
      ['a bare line feed', { 'x-note': 'a\ncontent-length: 0' }],
      ['a line break in a name', { 'x\r\ncontent-length': '0' }],
      ['another host', { Host: '169.254.169.254' }],
      ['an upgrade', { Upgrade: 'h2c' }],
      ['an expectation', { Expect: '100-continue' }],
    ])('rejects a header with %s before it connects', async (_, headers) => {
      const server = await using(httpServer((_req, res) => res.end()));
      await expect(ask(server.port, { headers })).rejects.toMatchObject({ reason: 'protocol', retry: false });
      expect(server.connections()).toBe(0);
    });

    it('rejects a method with extra text before it connects', async () => {
      const server = await using(httpServer((_req, res) => res.end()));
      const method = 'GET /x HTTP/1.1\r\nx: y\r\n\r\nPOST' as 'GET';
      await expect(ask(server.port, { method })).rejects.toMatchObject({ reason: 'protocol', retry: false });
      expect(server.connections()).toBe(0);
    });

    it.each(['together with the first', 'after the first'])(
      'does not use an unsolicited response that is sent %s',
      async (when) => {
        const honest = `${OK}content-length: 6\r\n\r\nhonest`;
        const planted = `${OK}content-length: 7\r\n\r\nplanted`;
        const server = await answering((socket) => {
          if (when === 'together with the first') socket.write(honest + planted);
          else socket.write(honest, () => setImmediate(() => socket.write(planted)));
        });
        for (let i = 0; i < 10; i++) {
          // A lost connection is acceptable; a wrong response is not.
          const body = await ask(server.port).then(
            (response) => response.body.toString(),
            (error: { reason?: string }) => error.reason,
          );
          expect(['honest', 'connect', 'protocol']).toContain(body);
        }
      },
    );

    it.each([
      ['two lengths', 'content-length: 2\r\ncontent-length: 3\r\n\r\nabc'],
      ['a length with a sign', 'content-length: +2\r\n\r\nab'],
      ['an invalid length', 'content-length: 2, 3\r\n\r\nabc'],
      ['a chunk without a length', 'transfer-encoding: chunked\r\n\r\nxyz\r\nabc\r\n0\r\n\r\n'],
      ['a header without a name', ': x\r\ncontent-length: 0\r\n\r\n'],
      ['a NUL in a header', 'x: a\0b\r\ncontent-length: 0\r\n\r\n'],
    ])('rejects a response with %s as a protocol error', async (_, rest) => {
      const server = await answering((socket) => socket.write(OK + rest));
      await expect(ask(server.port)).rejects.toMatchObject({ reason: 'protocol' });
    });
  });

  describe('that never ends the body, with `keepIncomplete`', () => {
    const keepIncomplete = true;

    it.each<[string, (socket: Socket) => void, string]>([
      ['hangs', (socket) => void socket.write(`${OK}content-length: 99\r\nx-a: b\r\n\r\nhalf`), 'half'],
      ['hangs before it', (socket) => void socket.write(`${OK}content-length: 99\r\nx-a: b\r\n\r\n`), ''],
      ['hangs up', (socket) => void socket.end(`${OK}content-length: 99\r\nx-a: b\r\n\r\nhalf`), 'half'],
      [
        'aborts the chunks',
        (socket) => void socket.write(`${OK}transfer-encoding: chunked\r\nx-a: b\r\n\r\n4\r\nhalf\r\nwrong\r\n`),
        'half',
      ],
    ])('and %s returns status, headers and the received bytes', async (_, onRequest, body) => {
      const server = await answering(onRequest);
      const response = await ask(server.port, { timeoutMs: 300, keepIncomplete });
      expect(response).toMatchObject({ status: 200, headers: { 'x-a': 'b' }, truncated: false, incomplete: true });
      expect(response.body.toString()).toBe(body);
      await server.disconnected;
    });

    it('fails when the headers are incomplete', async () => {
      const server = await answering((socket) => void socket.write(`${OK}x-a: b\r\n`));
      await expect(ask(server.port, { timeoutMs: 100, keepIncomplete })).rejects.toMatchObject({ reason: 'timeout' });
    });

    it('rejects with the caller’s reason after an abort', async () => {
      const controller = new AbortController();
      const reason = new Error('enough');
      const server = await answering((socket) => {
        socket.write(`${OK}content-length: 99\r\n\r\nhalf`, () => setImmediate(() => controller.abort(reason)));
      });
      await expect(ask(server.port, { keepIncomplete, signal: controller.signal })).rejects.toBe(reason);
      await server.disconnected;
    });

    it('fails for a redirect that is to be followed', async () => {
      const server = await answering((socket) => {
        socket.write('HTTP/1.1 302 Found\r\nlocation: /next\r\ncontent-length: 99\r\n\r\n');
      });
      const asking = ask(server.port, { timeoutMs: 100, keepIncomplete, followRedirects: 1 });
      await expect(asking).rejects.toMatchObject({ reason: 'timeout' });
    });

    it('marks a complete body as complete and a long one as truncated', async () => {
      const server = await using(httpServer((_, res) => res.end('x'.repeat(10))));
      expect(await ask(server.port, { keepIncomplete })).toMatchObject({ truncated: false, incomplete: false });
      const cut = await ask(server.port, { keepIncomplete, maxResponseBytes: 5 });
      expect([cut.truncated, cut.incomplete, cut.body.toString()]).toEqual([true, false, 'xxxxx']);
    });
  });
});
