import { createHash, timingSafeEqual } from 'node:crypto';

/**
 * Whether an Authorization header contains the token: as the password of HTTP Basic with any user name (browsers
 * require one), or as Bearer. The comparison takes constant time.
 */
export function hasToken(authorization: string | undefined, token: string): boolean {
  const received = parseToken(authorization ?? '');
  return received !== null && timingSafeEqual(digest(received), digest(token));
}

function parseToken(authorization: string): string | null {
  const [, scheme = '', value = ''] = /^(basic|bearer) +(\S+)$/i.exec(authorization) ?? [];
  if (scheme.toLowerCase() !== 'basic') return value === '' ? null : value;
  const pair = Buffer.from(value, 'base64').toString('utf8');
  const colon = pair.indexOf(':');
  return colon === -1 ? null : pair.slice(colon + 1);
}

function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}
