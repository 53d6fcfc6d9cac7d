import { type Socket } from 'node:net';
import { gzipSync } from 'node:zlib';
import { OutboundHttpClient } from './outbound-http.client';
import { type OutboundRequest, type OutboundResponse } from './outbound-request';
import { httpServer, tcpServer, type LocalServer } from './testing/local-server';

const OK = 'HTTP/1.1 200 OK\r\n';

/** Writes the start, then a piece every few milliseconds until the other side hangs up. */
function drip(socket: Socket, start: string, piece: string): void {
  socket.write(start);
  const timer = setInterval(() => socket.write(piece), 5);
  socket.once('close', () => clearInterval(timer));
}

/** Writes as fast as it is taken, until the other side hangs up. */
function pour(socket: Socket, piece: string): void {
  const much = piece.repeat(Math.ceil(16_000 / piece.length));
  const more = (): void => {
    if (!socket.destroyed) socket.write(much, () => setImmediate(more));
  };
  more();
}

describe('OutboundHttp against a server that means no good', () => {
  const http = new OutboundHttpClient({ allowPrivate: true });
  const servers: LocalServer[] = [];
  const using = async (starting: Promise<LocalServer>): Promise<LocalServer> => {
    const server = await starting;
    servers.push(server);
    return server;
  };
  /** A server that does as it likes once it has been asked something. */
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

  describe('takes its time', () => {
    it.each<[string, (socket: Socket) => void]>([
      ['drips its status line', (socket) => drip(socket, 'HTTP/1.1 200 ', 'x')],
      ['drips a header', (socket) => drip(socket, OK, 'x')],
      ['drips headers', (socket) => drip(socket, OK, 'x: y\r\n')],
      ['drips interim answers', (socket) => drip(socket, '', 'HTTP/1.1 103 Early Hints\r\nlink: x\r\n\r\n')],
      ['drips its body', (socket) => drip(socket, `${OK}content-length: 9999\r\n\r\n`, 'x')],
      ['drips chunks', (socket) => drip(socket, `${OK}transfer-encoding: chunked\r\n\r\n`, '1\r\nx\r\n')],
    ])('one that %s gets no more of it than the request has', async (_, onRequest) => {
      const server = await using(tcpServer((socket) => void socket.once('data', () => onRequest(socket))));
      await expect(ask(server.port, { timeoutMs: 150 })).rejects.toMatchObject({
        reason: 'timeout',
        retry: true,
        ambiguous: true,
      });
      await server.disconnected;
    });

    it('one that does not read what it is sent gets no more of it either', async () => {
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

    it('delays nobody else', async () => {
      const server = await using(
        tcpServer((socket) => void socket.once('data', () => pour(socket, 'HTTP/1.1 103 Early Hints\r\n\r\n'))),
      );
      const friendly = await using(httpServer((_, res) => res.end('ok')));
      const patience = new AbortController();
      const pouring = Promise.allSettled(
        Array.from({ length: 10 }, () => ask(server.port, { signal: patience.signal })),
      );
      for (let i = 0; i < 20; i++) expect((await ask(friendly.port)).status).toBe(200);
      patience.abort(new Error('enough'));
      await pouring;
    });
  });

  describe('sends without end', () => {
    it.each<[string, string, string]>([
      ['header', OK, 'x'],
      ['headers', OK, 'x: y\r\n'],
      ['trailers', `${OK}transfer-encoding: chunked\r\n\r\n0\r\n`, 'x: y\r\n'],
      ['words that are no HTTP', '', 'x'],
    ])('%s: is not HTTP', async (_, start, piece) => {
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
      ['about a chunk', `${OK}transfer-encoding: chunked\r\n\r\n5;`, 'x=y;'],
    ])('%s: until the time is over', async (_, start, piece) => {
      const server = await answering((socket) => {
        socket.write(start);
        pour(socket, piece);
      });
      await expect(ask(server.port, { timeoutMs: 200 })).rejects.toMatchObject({
        reason: 'timeout',
      });
      await server.disconnected;
    });

    it('a body that it said was short or long: no more than asked for is kept', async () => {
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
    'leaves a body as it came that is said to be %s: a bomb does not go off',
    async (encoding) => {
      const bomb = gzipSync(gzipSync(Buffer.alloc(20_000_000)));
      const server = await using(
        httpServer((_, res) => res.writeHead(200, { 'content-encoding': encoding }).end(bomb)),
      );
      const response = await ask(server.port, { maxResponseBytes: 1_000_000 });
      expect([response.body.equals(bomb), response.headers['content-encoding']]).toEqual([true, encoding]);
    },
  );

  describe('smuggles', () => {
    it('out: what is sent is one request, whatever its body looks like', async () => {
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
      ['another framing, with a blank', { 'Transfer-Encoding ': 'chunked' }],
      ['a line break', { 'x-note': 'a\r\nTransfer-Encoding: chunked' }],
      ['a bare line feed', { 'x-note': 'a\ncontent-length: 0' }],
      ['a line break in a name', { 'x\r\ncontent-length': '0' }],
      ['another host', { Host: '169.254.169.254' }],
      ['an upgrade', { Upgrade: 'h2c' }],
      ['an expectation', { Expect: '100-continue' }],
    ])('out: a header with %s is refused before anything is sent', async (_, headers) => {
      const server = await using(httpServer((_req, res) => res.end()));
      await expect(ask(server.port, { headers })).rejects.toMatchObject({ reason: 'protocol', retry: false });
      expect(server.connections()).toBe(0);
    });

    it('out: a method that is more than a method is refused before anything is sent', async () => {
      const server = await using(httpServer((_req, res) => res.end()));
      const method = 'GET /x HTTP/1.1\r\nx: y\r\n\r\nPOST' as 'GET';
      await expect(ask(server.port, { method })).rejects.toMatchObject({ reason: 'protocol', retry: false });
      expect(server.connections()).toBe(0);
    });

    it.each(['together with the first', 'after the first'])(
      'in: an answer that nobody asked for, sent %s, is given to nobody',
      async (when) => {
        const honest = `${OK}content-length: 6\r\n\r\nhonest`;
        const planted = `${OK}content-length: 7\r\n\r\nplanted`;
        const server = await answering((socket) => {
          if (when === 'together with the first') socket.write(honest + planted);
          else socket.write(honest, () => setImmediate(() => socket.write(planted)));
        });
        for (let i = 0; i < 10; i++) {
          // A lost connection is a failure like any other; a wrong answer would be worse.
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
      ['a length that is none', 'content-length: 2, 3\r\n\r\nabc'],
      ['a chunk without a length', 'transfer-encoding: chunked\r\n\r\nxyz\r\nabc\r\n0\r\n\r\n'],
      ['a header without a name', ': x\r\ncontent-length: 0\r\n\r\n'],
      ['a zero in a header', 'x: a\0b\r\ncontent-length: 0\r\n\r\n'],
    ])('in: an answer with %s is not HTTP', async (_, rest) => {
      const server = await answering((socket) => socket.write(OK + rest));
      await expect(ask(server.port)).rejects.toMatchObject({ reason: 'protocol' });
    });
  });

  describe('does not end its body, when the caller wants to know all the same', () => {
    const keepIncomplete = true;

    it.each<[string, (socket: Socket) => void, string]>([
      ['hangs', (socket) => void socket.write(`${OK}content-length: 99\r\nx-a: b\r\n\r\nhalf`), 'half'],
      ['hangs before it', (socket) => void socket.write(`${OK}content-length: 99\r\nx-a: b\r\n\r\n`), ''],
      ['hangs up', (socket) => void socket.end(`${OK}content-length: 99\r\nx-a: b\r\n\r\nhalf`), 'half'],
      [
        'breaks off chunks',
        (socket) => void socket.write(`${OK}transfer-encoding: chunked\r\nx-a: b\r\n\r\n4\r\nhalf\r\nwrong\r\n`),
        'half',
      ],
    ])('and %s: status, headers and what came are given', async (_, onRequest, body) => {
      const server = await answering(onRequest);
      const response = await ask(server.port, { timeoutMs: 300, keepIncomplete });
      expect(response).toMatchObject({ status: 200, headers: { 'x-a': 'b' }, truncated: false, incomplete: true });
      expect(response.body.toString()).toBe(body);
      await server.disconnected;
    });

    it('but the headers neither: there is no answer', async () => {
      const server = await answering((socket) => void socket.write(`${OK}x-a: b\r\n`));
      await expect(ask(server.port, { timeoutMs: 100, keepIncomplete })).rejects.toMatchObject({ reason: 'timeout' });
    });

    it('and the caller aborts the request: it rejects with the reason of the caller', async () => {
      const patience = new AbortController();
      const reason = new Error('enough');
      const server = await answering((socket) => {
        socket.write(`${OK}content-length: 99\r\n\r\nhalf`, () => setImmediate(() => patience.abort(reason)));
      });
      await expect(ask(server.port, { keepIncomplete, signal: patience.signal })).rejects.toBe(reason);
      await server.disconnected;
    });

    it('of a redirect that is to be followed: no answer, as the time is over', async () => {
      const server = await answering((socket) => {
        socket.write('HTTP/1.1 302 Found\r\nlocation: /next\r\ncontent-length: 99\r\n\r\n');
      });
      const asking = ask(server.port, { timeoutMs: 100, keepIncomplete, followRedirects: 1 });
      await expect(asking).rejects.toMatchObject({ reason: 'timeout' });
    });

    it('although a complete one is complete and a long one cut', async () => {
      const server = await using(httpServer((_, res) => res.end('x'.repeat(10))));
      expect(await ask(server.port, { keepIncomplete })).toMatchObject({ truncated: false, incomplete: false });
      const cut = await ask(server.port, { keepIncomplete, maxResponseBytes: 5 });
      expect([cut.truncated, cut.incomplete, cut.body.toString()]).toEqual([true, false, 'xxxxx']);
    });
  });
});
