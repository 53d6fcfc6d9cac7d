import { UnsupportedMediaTypeException } from '@nestjs/common';
import { type NextFunction, type Request, type Response } from 'express';

/**
 * Rejects a compressed request body on every route, before routing, keys and parsers: a kilobyte of gzip inflates to
 * megabytes, and the sender needs no key. `identity` (RFC 9110, 8.4.1) and an empty value mean "not encoded".
 */
export function refuseEncodedBodies(request: Request, response: Response, next: NextFunction): void {
  const encoding = request.headers['content-encoding'] ?? '';
  if (!hasBody(request) || /^(identity)?$/i.test(encoding.trim())) return next();
  // RFC 9110, 15.5.16: a 415 because of the coding names the codings that the server accepts.
  response.setHeader('Accept-Encoding', 'identity');
  // The message does not repeat the header: the client chooses its value freely.
  next(
    new UnsupportedMediaTypeException('Compressed bodies are not supported: send the body without Content-Encoding'),
  );
}

/** RFC 9112, 6: one of these two headers signals that a body follows. */
function hasBody({ headers }: Request): boolean {
  return headers['transfer-encoding'] !== undefined || headers['content-length'] !== undefined;
}
