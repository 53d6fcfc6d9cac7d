/** The API's URL without a trailing slash. */
export function getBase(apiUrl: string): string {
  return apiUrl.replace(/\/+$/, '');
}

/**
 * The part of a Graph link after the API's URL; null for a link to another host: requests carry the mailbox's token, and links are stored
 * in cursors.
 */
export function getLinkPath(apiUrl: string, link: string): string | null {
  const base = new URL(getBase(apiUrl));
  const root = base.pathname === '/' ? '' : base.pathname;
  const url = URL.parse(link);
  if (!url || url.origin !== base.origin || url.username !== '' || url.password !== '') return null;
  if (!url.pathname.toLowerCase().startsWith(`${root.toLowerCase()}/`)) return null;
  return url.pathname.slice(root.length) + url.search;
}

/** The same for a path from a cursor: null unless it is a delta query of this API. */
export function getDeltaPath(apiUrl: string, path: string): string | null {
  const checked = path.startsWith('/') ? getLinkPath(apiUrl, getBase(apiUrl) + path) : null;
  return checked && /^\/(me|users)[/(][^?]*\/messages\/([\w.]*\.)?delta(\(\))?\?/i.test(checked) ? checked : null;
}

/** `{ $top: 5 }` as a query string. Keys are constants. */
export function getQuery(parameters: Record<string, string | number>): string {
  const pairs = Object.entries(parameters).map(([key, value]) => `${key}=${encodeURIComponent(value)}`);
  return pairs.length === 0 ? '' : `?${pairs.join('&')}`;
}

/** A string in an OData expression. */
export function quoteText(text: string): string {
  return `'${text.replaceAll("'", "''")}'`;
}
