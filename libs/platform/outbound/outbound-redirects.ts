import { parseOutboundUrl, type Hop } from './outbound-request';

const REDIRECTS: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);

/**
 * All that crosses to another origin. Besides Authorization and Cookie, vendors keep keys and signatures in headers of
 * their own names (x-api-key, webhook-signature), so what is not known to be harmless stays behind.
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
 * Where a response sends the request on, or null when it is final (no redirect, or one without a Location).
 * 303 turns everything but HEAD into GET, 301 and 302 turn POST into GET (as browsers do; RFC 9110, 15.4); 307 and 308
 * repeat the request as it was.
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
