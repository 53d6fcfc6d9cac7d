import { type OptOutWay } from '@domain/tracking';
import { type Request } from 'express';

/** Ten times the size that a mail client or the form of the page sends. */
const LIMIT_BYTES = 4_096;

/** `List-Unsubscribe=One-Click` (RFC 8058, 3.1), in either form encoding. */
const ONE_CLICK = /List-Unsubscribe\s*(?:=\s*|"[\s\S]{0,200}?\r?\n\r?\n)One-Click/i;

/**
 * How the person unsubscribed: a mail client states it in the body. An unexpected body is no reason to refuse the
 * unsubscription; of a long one only the beginning is read.
 */
export async function getWay(request: Request): Promise<OptOutWay> {
  const parts: Buffer[] = [];
  let bytes = 0;
  // Not destroyed when reading ends early: the remaining bytes are read and discarded, so that the client receives the
  // response.
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
