import { createHash } from 'node:crypto';
import { type Request, type Response } from 'express';

/**
 * Serves a JSON document that does not change while the process runs: built and serialised at the first request only.
 */
export function serveDocument(build: () => object): (request: Request, response: Response) => void {
  let cached: { bytes: Buffer; etag: string } | undefined;
  return (_request, response) => {
    cached ??= serialise(build());
    // `send` answers 304 to a matching If-None-Match, and without a body to HEAD.
    response.set({ 'Content-Type': 'application/json; charset=utf-8', ETag: cached.etag }).send(cached.bytes);
  };
}

function serialise(document: object): { bytes: Buffer; etag: string } {
  const bytes = Buffer.from(JSON.stringify(document));
  return { bytes, etag: `"${createHash('sha256').update(bytes).digest('base64url')}"` };
}
