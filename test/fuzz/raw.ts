import { connect } from 'node:net';

const BODY = '{"name":"x"}';
const head = (...lines: string[]): string => ['POST /v1/workspaces HTTP/1.1', 'Host: x', ...lines, '', ''].join('\r\n');

/** Bytes that no HTTP client would send, and what they try. */
export const RAW: readonly (readonly [name: string, bytes: string])[] = [
  ['a line end in the path', 'GET /v1/x\r\nX-Injected: 1 HTTP/1.1\r\nHost: x\r\n\r\n'],
  ['two lengths', head('Content-Length: 5', 'Content-Length: 12') + BODY],
  [
    'a length and parts',
    head('Content-Length: 5', 'Transfer-Encoding: chunked') +
      '0\r\n\r\nGET /v1/credits/balance HTTP/1.1\r\nHost: x\r\n\r\n',
  ],
  ['parts that are said twice', head('Transfer-Encoding: chunked', 'Transfer-Encoding: x') + '0\r\n\r\n'],
  ['a part of no length', head('Transfer-Encoding: chunked') + 'zz\r\nxx\r\n0\r\n\r\n'],
  ['a length below nothing', head('Content-Length: -1') + BODY],
  ['a length that is no number', head('Content-Length: 1e3') + BODY],
  ['a header over two lines', head('X-Request-Id: abcdefgh', '\tijkl', 'Content-Length: 0')],
  ['a null in a header', head('X-Api-Key: sk_\0x', 'Content-Length: 0')],
  ['bare line feeds', 'GET /v1/workspaces HTTP/1.1\nHost: x\nX-Api-Key: x\n\n'],
  ['a header without a name', head(': x', 'Content-Length: 0')],
  ['a space before the colon', head('Content-Length : 5') + BODY],
  ['no host', 'GET /v1/workspaces HTTP/1.1\r\n\r\n'],
  ['two hosts', 'GET /v1/workspaces HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n'],
  ['a whole address', 'GET http://127.0.0.1:9/v1/workspaces HTTP/1.1\r\nHost: x\r\n\r\n'],
  ['a tunnel', 'CONNECT 127.0.0.1:9 HTTP/1.1\r\nHost: x\r\n\r\n'],
  ['an upgrade', 'GET /v1/workspaces HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n'],
  ['a trace', 'TRACE /v1/workspaces HTTP/1.1\r\nHost: x\r\nX-Api-Key: sk_canary\r\n\r\n'],
  ['an unknown method', 'BREW /v1/workspaces HTTP/1.1\r\nHost: x\r\n\r\n'],
  ['another version', 'GET /v1/workspaces HTTP/9.9\r\nHost: x\r\n\r\n'],
  ['three thousand headers', head(...Array.from({ length: 3_000 }, (_none, at) => `a${at}: x`), 'Content-Length: 0')],
  ['an address of 20 kB', `GET /v1/${'x'.repeat(20_000)} HTTP/1.1\r\nHost: x\r\n\r\n`],
  ['bytes of TLS', '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03'],
  ['an address that is none', 'GET //%00\\..\\x?%ff HTTP/1.1\r\nHost: x\r\n\r\n'],
  ['an expectation', head('Expect: 100-continue, x', 'Content-Length: 0')],
];

/** So long a server may keep such a connection: it should have hung up at once (milliseconds). */
const HANGS_MS = 60_000;

/**
 * Writes the bytes, says that there are no more, and reads until the server hangs up.
 * @throws Error when it does not
 */
export async function written(port: number, bytes: string): Promise<string> {
  const socket = connect(port, '127.0.0.1');
  socket.setTimeout(HANGS_MS, () => socket.destroy(new Error('The server does not hang up')));
  socket.end(Buffer.from(bytes, 'latin1'));
  try {
    return Buffer.concat(await socket.toArray()).toString('latin1');
  } catch (error) {
    // It may hang up before it has read all of it.
    if ((error as NodeJS.ErrnoException).code === 'ECONNRESET' || (error as NodeJS.ErrnoException).code === 'EPIPE')
      return '';
    throw error;
  }
}
