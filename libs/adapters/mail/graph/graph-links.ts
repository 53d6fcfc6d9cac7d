/** The API's address without a slash at its end. */
export function getBase(apiUrl: string): string {
  return apiUrl.replace(/\/+$/, '');
}

/**
 * What follows the API's address in a link that Graph gave, null when the link leads anywhere else: it carries the
 * mailbox's token, and it passes through cursors that others store.
 */
export function getLinkPath(apiUrl: string, link: string): string | null {
  const base = new URL(getBase(apiUrl));
  const root = base.pathname === '/' ? '' : base.pathname;
  const url = URL.parse(link);
  if (!url || url.origin !== base.origin || url.username !== '' || url.password !== '') return null;
  if (!url.pathname.toLowerCase().startsWith(`${root.toLowerCase()}/`)) return null;
  return url.pathname.slice(root.length) + url.search;
}

/** The same for a path out of a cursor: null unless it is one of a delta query under this API. */
export function getDeltaPath(apiUrl: string, path: string): string | null {
  const checked = path.startsWith('/') ? getLinkPath(apiUrl, getBase(apiUrl) + path) : null;
  return checked && /^\/(me|users)[/(][^?]*\/messages\/([\w.]*\.)?delta(\(\))?\?/i.test(checked) ? checked : null;
}

/** `{ $top: 5 }` as a query string. Keys are ours. */
export function getQuery(parameters: Record<string, string | number>): string {
  const pairs = Object.entries(parameters).map(([key, value]) => `${key}=${encodeURIComponent(value)}`);
  return pairs.length === 0 ? '' : `?${pairs.join('&')}`;
}

/** A string in an OData expression. */
export function quoteText(text: string): string {
  return `'${text.replaceAll("'", "''")}'`;
}
