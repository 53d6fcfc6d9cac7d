import { HttpException } from '@nestjs/common';
import { type Request } from 'express';

/** Maximum bytes of a result: far more than the fields of a mapping can hold. */
const LIMIT_BYTES = 256 * 1024;
const TOO_LARGE = 413;

/** Reads the signed bytes of a result. @throws 413 when there are too many */
export async function callbackBody(request: Request): Promise<Buffer> {
  const parts: Buffer[] = [];
  let bytes = 0;
  // The request is not destroyed when reading ends early: the remaining bytes are discarded, so that the tool receives
  // the response.
  const incoming = request.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>;
  try {
    for await (const part of incoming) {
      bytes += part.length;
      if (bytes > LIMIT_BYTES) throw new HttpException(`The result is larger than ${LIMIT_BYTES} bytes`, TOO_LARGE);
      parts.push(part);
    }
  } finally {
    request.resume();
  }
  return Buffer.concat(parts);
}

export function signatureIn(request: Request): string | undefined {
  return request.get('x-enrichment-signature');
}
