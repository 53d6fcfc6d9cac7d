import { parseOutboundUrl, type Hop } from './outbound-request';

const REDIRECTS: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);

/**
 * The only headers that are sent to another origin. Besides Authorization and Cookie, vendors use headers of their own for keys
 * and signatures (x-api-key, webhook-signature), so unknown headers are dropped.
 */
const PUBLIC_HEADERS: ReadonlySet<string> = new Set([
  'accept',
  'accept-language',
  'content-type',
  'if-modified-since',
  'if-none-match',
  'range',
  'user-agent',
]);

/**
 * Returns the request that follows a redirect, or null for a final response (no redirect, or none with a Location).
 * 303 changes all methods but HEAD to GET, 301 and 302 change POST to GET (as browsers do; RFC 9110, 15.4); 307 and 308
 * repeat the request unchanged.
 * @throws OutboundError `invalid_url` when the Location is not an http(s) URL without credentials.
 */
export function toNextHop(hop: Hop, status: number, location: string | undefined): Hop | null {
  if (!REDIRECTS.has(status) || location === undefined) return null;
  const url = parseOutboundUrl(location, hop.url);
  const toGet = status === 303 ? hop.method !== 'HEAD' : status < 303 && hop.method === 'POST';
  const headers = Object.entries(hop.headers).filter(
    ([name]) => (url.origin === hop.url.origin || PUBLIC_HEADERS.has(name)) && !(toGet && name.startsWith('content-')),
  );
  return {
    url,
    method: toGet ? 'GET' : hop.method,
    headers: Object.fromEntries(headers),
    body: toGet ? undefined : hop.body,
  };
}
