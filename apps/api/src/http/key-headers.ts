import { timingSafeEqual } from 'node:crypto';
import { type Request } from 'express';

/** The key that a request presents; undefined when there is none or, where a bearer is required, the two differ. */
export function presentedKey(request: Request, bearerRequired: boolean): string | undefined {
  // Clients that have no key may send the header without one, as forms do.
  const key = request.get('x-api-key') || undefined;
  if (key === undefined || !bearerRequired) return key;
  const bearer = /^Bearer +(\S+)$/i.exec(request.get('authorization') ?? '')?.[1];
  return bearer !== undefined && sameText(bearer, key) ? key : undefined;
}

function sameText(a: string, b: string): boolean {
  const [left, right] = [Buffer.from(a), Buffer.from(b)];
  return left.length === right.length && timingSafeEqual(left, right);
}
