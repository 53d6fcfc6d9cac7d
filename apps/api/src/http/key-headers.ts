import { timingSafeEqual } from 'node:crypto';
import { type Request } from 'express';

/** The key of a request; undefined when there is none or, where a bearer is required, the two headers differ. */
export function getPresentedKey(request: Request, bearerRequired: boolean): string | undefined {
  // Clients without a key may send an empty header, as forms do.
  const key = request.get('x-api-key') || undefined;
  if (key === undefined || !bearerRequired) return key;
  const bearer = /^Bearer +(\S+)$/i.exec(request.get('authorization') ?? '')?.[1];
  return bearer !== undefined && isSameText(bearer, key) ? key : undefined;
}

function isSameText(a: string, b: string): boolean {
  const [left, right] = [Buffer.from(a), Buffer.from(b)];
  return left.length === right.length && timingSafeEqual(left, right);
}
