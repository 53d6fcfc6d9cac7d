const LOCAL_HOSTS: ReadonlySet<string> = new Set(['localhost', '127.0.0.1', '[::1]']);
const MAX_CHARACTERS = 2_000;

/**
 * Returns the normalised URL to which the browser may be redirected after the authorization, or null. Allowed are https, http on
 * the same machine (development), and the platform's own origin. User names are refused, because they can disguise the host.
 */
export function redirectTarget(text: string, publicUrl: string): string | null {
  const url = text.length <= MAX_CHARACTERS ? URL.parse(text) : null;
  if (url === null || url.username !== '' || url.password !== '') return null;
  if (url.protocol === 'https:') return url.href;
  // The origin of a blob: URL is the one of its page, so the scheme is checked too.
  const isOwn = LOCAL_HOSTS.has(url.hostname) || url.origin === new URL(publicUrl).origin;
  return url.protocol === 'http:' && isOwn ? url.href : null;
}

/** The URL with the outcome in its query. */
export function redirectWith(target: string, session: string, status: 'completed' | 'failed'): string {
  const url = new URL(target);
  url.searchParams.set('session', session);
  url.searchParams.set('status', status);
  return url.href;
}
