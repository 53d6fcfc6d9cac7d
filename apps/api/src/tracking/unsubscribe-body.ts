import { type OptOutWay } from '@domain/tracking';
import { type Request } from 'express';

/** Mail programs and our form send a tenth of this. */
const LIMIT_BYTES = 4_096;

/** `List-Unsubscribe=One-Click` (RFC 8058, 3.1), in either form encoding. */
const ONE_CLICK = /List-Unsubscribe\s*(?:=\s*|"[\s\S]{0,200}?\r?\n\r?\n)One-Click/i;

/**
 * Tells whether a mail program or a person unsubscribed: a mail program names itself in the body. Any other body is accepted,
 * since it must not prevent an opt-out; only the beginning of a long one is read.
 */
export async function getWay(request: Request): Promise<OptOutWay> {
  const parts: Buffer[] = [];
  let bytes = 0;
  // Not destroyed when reading ends early: the remaining body is discarded, so that the client receives the response.
  const incoming = request.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>;
  try {
    for await (const part of incoming) {
      parts.push(part);
      bytes += part.length;
      if (bytes > LIMIT_BYTES) break;
    }
  } finally {
    request.resume();
  }
  return ONE_CLICK.test(Buffer.concat(parts).toString('latin1', 0, LIMIT_BYTES)) ? 'one_click' : 'page';
}
