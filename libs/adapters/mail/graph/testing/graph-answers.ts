import { randomUUID } from 'node:crypto';
import { type Readable } from 'node:stream';

/** The server's response to a request. */
export interface GraphReply {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** JSON, bytes, or nothing. */
  readonly body?: object | Buffer | Readable;
}

/** Thrown by the handler of a request. */
export class GraphRefusal extends Error {
  constructor(readonly reply: GraphReply) {
    super(`Refused with ${reply.status}`);
  }
}

/** An error in the documented format. */
export function errorReply(
  status: number,
  code: string,
  message: string,
  headers: Readonly<Record<string, string>> = {},
): GraphReply {
  const id = randomUUID();
  const innerError = { date: '2026-11-21T10:00:00', 'request-id': id, 'client-request-id': id };
  return { status, headers: { 'request-id': id, ...headers }, body: { error: { code, message, innerError } } };
}

export function itemNotFound(): GraphRefusal {
  return new GraphRefusal(errorReply(404, 'ErrorItemNotFound', 'The specified object was not found in the store.'));
}

export function badRequest(code: string, message: string): GraphRefusal {
  return new GraphRefusal(errorReply(400, code, message));
}

/** A 401 of Graph's front end. */
export function invalidToken(message: string): GraphReply {
  const challenge = { 'www-authenticate': 'Bearer realm="", authorization_uri="https://login.example/authorize"' };
  return errorReply(401, 'InvalidAuthenticationToken', message, challenge);
}

export function throttled(code: string, seconds: number): GraphReply {
  return errorReply(429, code, `Application is over its ${code} limit.`, { 'retry-after': String(seconds) });
}
