import { randomUUID } from 'node:crypto';
import { type Server, STATUS_CODES } from 'node:http';
import { type Duplex } from 'node:stream';

const STATUS_OF_CODE: Record<string, number> = { HPE_HEADER_OVERFLOW: 431, ERR_HTTP_REQUEST_TIMEOUT: 408 };

/** Requests that Node rejects as invalid HTTP get the same error body and request id as all others. */
export function answerClientErrors(server: Server): void {
  server.on('clientError', (error: NodeJS.ErrnoException, socket: Duplex) => {
    if (error.code === 'ECONNRESET' || !socket.writable) {
      socket.destroy();
      return;
    }
    const code = STATUS_OF_CODE[error.code ?? ''] ?? 400;
    const text = STATUS_CODES[code] ?? 'Bad Request';
    const body = JSON.stringify({ error: text, message: 'The request is not valid HTTP, or too large', code });
    const head = [
      `HTTP/1.1 ${code} ${text}`,
      'Content-Type: application/json; charset=utf-8',
      `Content-Length: ${Buffer.byteLength(body)}`,
      `X-Request-Id: ${randomUUID()}`,
      'Connection: close',
    ];
    socket.end(`${head.join('\r\n')}\r\n\r\n${body}`);
  });
}
