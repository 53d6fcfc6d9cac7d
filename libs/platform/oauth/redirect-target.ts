const LOCAL_HOSTS: ReadonlySet<string> = new Set(['localhost', '127.0.0.1', '[::1]']);
const MAX_CHARACTERS = 2_000;

/**
 * The address to which a browser may be sent when the journey is over, in its normal form; null when it may not: https
 * anywhere, http only on the same machine (development), anything on the platform's own origin. Never with a user name,
 * which makes one host look like another.
 */
export function redirectTarget(text: string, publicUrl: string): string | null {
  const url = text.length <= MAX_CHARACTERS ? URL.parse(text) : null;
  if (url === null || url.username !== '' || url.password !== '') return null;
  if (url.protocol === 'https:') return url.href;
  // The origin of a blob: address is that of the page within it, so the scheme counts too.
  const isNear = LOCAL_HOSTS.has(url.hostname) || url.origin === new URL(publicUrl).origin;
  return url.protocol === 'http:' && isNear ? url.href : null;
}

/** The address with the outcome in its query. */
export function redirectWith(target: string, session: string, status: 'completed' | 'failed'): string {
  const url = new URL(target);
  url.searchParams.set('session', session);
  url.searchParams.set('status', status);
  return url.href;
}
