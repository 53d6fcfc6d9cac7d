import { createHmac, timingSafeEqual } from 'node:crypto';

/** The value of `X-Enrichment-Signature` for a body: `sha256=` and the HMAC-SHA-256 of its bytes in hex. */
export function getSignature(body: Buffer, secret: string): string {
  return `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`;
}

/** Verifies the signature of a body in constant time. @param secret null: no signature is required */
export function isSigned(body: Buffer, received: string | undefined, secret: string | null): boolean {
  if (secret === null) return true;
  const expected = Buffer.from(getSignature(body, secret));
  const signature = Buffer.alloc(expected.length);
  const bytes = Buffer.from(received ?? '', 'latin1');
  bytes.copy(signature);
  return timingSafeEqual(expected, signature) && bytes.length === expected.length;
}
