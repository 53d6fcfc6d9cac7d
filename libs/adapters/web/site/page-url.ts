/** Maximum length: longer URLs are generated and not meant for people. */
const MAX_URL_CHARACTERS = 500;
const MAX_PATH_SEGMENTS = 8;
const MAX_PARAMETERS = 2;
const MAX_QUERY_CHARACTERS = 100;
/** `/a/b/a/b/a/b`: a relative link that leads deeper with each page. */
const MAX_SAME_SEGMENTS = 2;

/** Tracking and session parameters, which do not affect the page. */
const TRACKING =
  /^(utm_.*|gclid|fbclid|msclkid|mc_[ce]id|_hs\w+|hs\w+|ref|source|phpsessid|jsessionid|sid|sessionid)$/i;
const UNRESERVED = /[A-Za-z0-9\-._~]/;
/** File extensions without page text. */
const NO_PAGE =
  /\.(pdf|docx?|xlsx?|pptx?|odt|zip|gz|tgz|rar|7z|dmg|exe|msi|apk|iso|jpe?g|png|gif|webp|avif|svg|ico|bmp|tiff?|mp[34]|m4[av]|mov|avi|webm|og[gv]|wav|css|m?js|json|xml|rss|atom|ics|csv|woff2?|ttf|eot|txt)$/i;
/** Paths that change something, or show personal content. */
const NO_PLACE =
  /\/(log-?in|log-?out|sign-?in|sign-?up|sign-?out|register|account|cart|basket|checkout|wp-(admin|json|login\.php|content|includes)|cdn-cgi|feed|search|password|unsubscribe)(\/|$)/i;

/**
 * The address of a page in one spelling: no fragment, no user name, no default port, percent-encoding by RFC 3986, 6.2.2, no tracking
 * parameters, and the others sorted. null for anything but an http(s) URL.
 * @param base resolves a relative reference
 */
export function normalizeUrl(text: string, base?: string): string | null {
  if (text.length > 4 * MAX_URL_CHARACTERS) return null;
  const url = URL.parse(text.trim(), base);
  if (!url || (url.protocol !== 'http:' && url.protocol !== 'https:')) return null;
  if (url.username !== '' || url.password !== '' || url.hostname === '') return null;
  url.hash = '';
  url.hostname = url.hostname.replace(/\.$/, '');
  url.pathname = normalizeEscapes(url.pathname.replace(/;(jsessionid|phpsessid)=[^/]*/gi, '')).replace(/\/{2,}/g, '/');
  const parameters = listParameters(url).filter(([name]) => !TRACKING.test(name));
  url.search = new URLSearchParams(parameters).toString();
  return url.href;
}

/** URLs with the same key are the same page: scheme, `www.` and a trailing slash are ignored. */
export function getPageKey(normal: string): string {
  const { hostname, port, pathname, search } = new URL(normal);
  const path = pathname.replace(/\/(index|default)\.(html?|php|aspx?)$/i, '/').replace(/\/$/, '');
  return `${getBareHost(hostname)}${port === '' ? '' : `:${port}`}${path}${search}`;
}

/** Equal for pages that differ in numbers and parameters only: days of a calendar, pages of a list. */
export function getPageShape(normal: string): string {
  const url = new URL(normal);
  const names = listParameters(url).map(([name]) => name);
  return `${url.pathname.replace(/\d+/g, '#').replace(/\/$/, '')}?${names.join('&')}`;
}

/** Whether the URL may be an informative page about a company; false for traps and uninteresting paths. */
export function isWorthReading(normal: string): boolean {
  if (normal.length > MAX_URL_CHARACTERS) return false;
  const url = new URL(normal);
  if (NO_PAGE.test(url.pathname) || NO_PLACE.test(url.pathname)) return false;
  if (url.search.length > MAX_QUERY_CHARACTERS || listParameters(url).length > MAX_PARAMETERS) return false;
  const segments = url.pathname.split('/').filter((segment) => segment !== '');
  return segments.length <= MAX_PATH_SEGMENTS && mostSame(segments) <= MAX_SAME_SEGMENTS;
}

export function getBareHost(hostname: string): string {
  return hostname.replace(/^www\./, '');
}

function listParameters(url: URL): [string, string][] {
  return [...url.searchParams].sort(([a, x], [b, y]) => compare(a, b) || compare(x, y));
}

function compare(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}

function normalizeEscapes(path: string): string {
  return path.replace(/%[0-9a-f]{2}/gi, (escape) => {
    const character = String.fromCharCode(Number.parseInt(escape.slice(1), 16));
    return UNRESERVED.test(character) ? character : escape.toUpperCase();
  });
}

function mostSame(segments: readonly string[]): number {
  const counts = new Map<string, number>();
  for (const segment of segments) counts.set(segment, (counts.get(segment) ?? 0) + 1);
  return Math.max(0, ...counts.values());
}
