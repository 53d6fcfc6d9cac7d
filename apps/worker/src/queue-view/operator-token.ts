import { createHash, timingSafeEqual } from 'node:crypto';

/**
 * Whether an Authorization header carries the token: as the password of HTTP Basic, whatever the user name (browsers ask for
 * both), or as Bearer. How long that takes does not depend on how much of it is right.
 */
export function carriesToken(authorization: string | undefined, token: string): boolean {
  const given = tokenIn(authorization ?? '');
  return given !== null && timingSafeEqual(digest(given), digest(token));
}

function tokenIn(authorization: string): string | null {
  const [, scheme = '', value = ''] = /^(basic|bearer) +(\S+)$/i.exec(authorization) ?? [];
  if (scheme.toLowerCase() !== 'basic') return value === '' ? null : value;
  const pair = Buffer.from(value, 'base64').toString('utf8');
  const colon = pair.indexOf(':');
  return colon === -1 ? null : pair.slice(colon + 1);
}

function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}
