import { type OptOutWay } from '@domain/tracking';
import { type Request } from 'express';

/** What a mail program or our own form sends has a tenth of this. */
const LIMIT_BYTES = 4_096;

/** `List-Unsubscribe=One-Click` (RFC 8058, 3.1), in a form of either kind. */
const ONE_CLICK = /List-Unsubscribe\s*(?:=\s*|"[\s\S]{0,200}?\r?\n\r?\n)One-Click/i;

/**
 * Who pressed: a mail program says so in the body. Nothing else is asked of the body, and a strange one is no reason not to
 * unsubscribe somebody; of a long one the beginning is read.
 */
export async function getWay(request: Request): Promise<OptOutWay> {
  const parts: Buffer[] = [];
  let bytes = 0;
  // Not destroyed when reading ends early: the rest is let in and thrown away, so that the client hears the answer.
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
