import { connect } from 'node:net';

const BODY = '{"name":"x"}';
const head = (...lines: string[]): string => ['POST /v1/workspaces HTTP/1.1', 'Host: x', ...lines, '', ''].join('\r\n');

/** Byte sequences that no HTTP client sends, and their purpose. */
export const RAW: readonly (readonly [name: string, bytes: string])[] = [
  ['a line break in the path', 'GET /v1/x\r\nX-Injected: 1 HTTP/1.1\r\nHost: x\r\n\r\n'],
  ['two lengths', head('Content-Length: 5', 'Content-Length: 12') + BODY],
  [
    'a length and chunks',
    head('Content-Length: 5', 'Transfer-Encoding: chunked') +
      '0\r\n\r\nGET /v1/credits/balance HTTP/1.1\r\nHost: x\r\n\r\n',
  ],
  ['a repeated Transfer-Encoding', head('Transfer-Encoding: chunked', 'Transfer-Encoding: x') + '0\r\n\r\n'],
  ['a chunk without a size', head('Transfer-Encoding: chunked') + 'zz\r\nxx\r\n0\r\n\r\n'],
  ['a negative length', head('Content-Length: -1') + BODY],
  ['a length that is not a number', head('Content-Length: 1e3') + BODY],
  ['a folded header', head('X-Request-Id: abcdefgh', '\tijkl', 'Content-Length: 0')],
  ['a null character in a header', head('X-Api-Key: sk_\0x', 'Content-Length: 0')],
  ['bare line feeds', 'GET /v1/workspaces HTTP/1.1\nHost: x\nX-Api-Key: x\n\n'],
  ['a header without a name', head(': x', 'Content-Length: 0')],
  ['a space before the colon', head('Content-Length : 5') + BODY],
  ['no host', 'GET /v1/workspaces HTTP/1.1\r\n\r\n'],
  ['two hosts', 'GET /v1/workspaces HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n'],
  ['an absolute address', 'GET http://127.0.0.1:9/v1/workspaces HTTP/1.1\r\nHost: x\r\n\r\n'],
  ['a tunnel', 'CONNECT 127.0.0.1:9 HTTP/1.1\r\nHost: x\r\n\r\n'],
  ['an upgrade', 'GET /v1/workspaces HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n'],
  ['a trace', 'TRACE /v1/workspaces HTTP/1.1\r\nHost: x\r\nX-Api-Key: sk_canary\r\n\r\n'],
  ['an unknown method', 'BREW /v1/workspaces HTTP/1.1\r\nHost: x\r\n\r\n'],
  ['another version', 'GET /v1/workspaces HTTP/9.9\r\nHost: x\r\n\r\n'],
  ['three thousand headers', head(...Array.from({ length: 3_000 }, (_none, at) => `a${at}: x`), 'Content-Length: 0')],
  ['an address of 20 kB', `GET /v1/${'x'.repeat(20_000)} HTTP/1.1\r\nHost: x\r\n\r\n`],
  ['bytes of TLS', '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03'],
  ['an invalid address', 'GET //%00\\..\\x?%ff HTTP/1.1\r\nHost: x\r\n\r\n'],
  ['an expectation', head('Expect: 100-continue, x', 'Content-Length: 0')],
];

/** Time in which a server must close such a connection, in milliseconds. */
const HANGS_MS = 60_000;

/**
 * Writes the bytes, ends the stream, and reads until the server closes the connection.
 * @throws Error when the server does not close it
 */
export async function written(port: number, bytes: string): Promise<string> {
  const socket = connect(port, '127.0.0.1');
  socket.setTimeout(HANGS_MS, () => socket.destroy(new Error('The server does not hang up')));
  socket.end(Buffer.from(bytes, 'latin1'));
  try {
    return Buffer.concat(await socket.toArray()).toString('latin1');
  } catch (error) {
    // The server may close it before it has read everything.
    if ((error as NodeJS.ErrnoException).code === 'ECONNRESET' || (error as NodeJS.ErrnoException).code === 'EPIPE')
      return '';
    throw error;
  }
}
