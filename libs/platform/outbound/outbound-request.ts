import { OutboundError } from './outbound.errors';

export type OutboundMethod = 'GET' | 'HEAD' | 'POST' | 'PUT' | 'PATCH' | 'DELETE' | 'OPTIONS';

export interface OutboundRequest {
  /** http or https, without credentials; the fragment is not sent. */
  readonly url: string;
  readonly method: OutboundMethod;
  /** Not those that the client sets itself (`host`, `content-length`, `connection`, `accept-encoding`, ...). */
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array;
  /** Timeout from DNS to the last byte, redirects included. 1 to 600 000 milliseconds. */
  readonly timeoutMs: number;
  /** Limit of the body in bytes; the remaining bytes are not received. */
  readonly maxResponseBytes: number;
  /** Redirects to follow, 0 to 5. Default 0: a 3xx is a response like any other. */
  readonly followRedirects?: number;
  /**
   * Whether a response with an incomplete body (timeout, or lost connection) is returned.
   * Default false: then it is a failure like a missing response.
   */
  readonly keepIncomplete?: boolean;
  /** Aborts the request, which then fails with the signal's reason. */
  readonly signal?: AbortSignal;
}

export interface OutboundResponse {
  readonly status: number;
  /** Names in lower case; values of repeated headers are joined with a comma and a space. */
  readonly headers: Readonly<Record<string, string>>;
  /** As sent: compression is never requested. */
  readonly body: Buffer;
  /** Whether the body was longer than `maxResponseBytes`. */
  readonly truncated: boolean;
  /** Whether the body ends at a timeout or a lost connection (`keepIncomplete`). */
  readonly incomplete: boolean;
  /** URL of the response, after redirects. */
  readonly url: string;
}

/** One request of a redirect chain, ready to send. */
export interface Hop {
  readonly url: URL;
  readonly method: OutboundMethod;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Uint8Array | undefined;
}

const MAX_REDIRECTS = 5;
const MAX_TIMEOUT_MS = 600_000;

/** RFC 9110, 5.6.2 (token) and 5.5 (field value; obs-text included, other code units cannot be sent). */
const HEADER_NAME = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/;
const HEADER_VALUE = /^[\t\x20-\x7e\x80-\xff]*$/;

/** Framing, routing and hop-by-hop headers: a caller that sets them could smuggle a second request. */
const OWN_HEADERS: ReadonlySet<string> = new Set([
  'accept-encoding',
  'connection',
  'content-length',
  'expect',
  'host',
  'keep-alive',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
]);

/**
 * Parses a URL of a user: http or https, no credentials. Its address is not checked.
 * @param base resolves a relative reference against it.
 * @throws OutboundError `invalid_url`, without the URL in its message.
 */
export function parseOutboundUrl(text: string, base?: URL): URL {
  const url = URL.parse(text, base?.href);
  if (url === null) throw new OutboundError('invalid_url', 'The URL is invalid');
  if (url.protocol !== 'http:' && url.protocol !== 'https:') {
    throw new OutboundError('invalid_url', 'The URL must begin with http:// or https://');
  }
  if (url.username !== '' || url.password !== '') {
    throw new OutboundError('invalid_url', 'The URL must not contain a user name or password');
  }
  return url;
}

/**
 * Checks a request and returns its first hop.
 * @throws OutboundError `invalid_url`, or `protocol` for a header that cannot or must not be sent.
 * @throws RangeError when a number is out of range: a programming error.
 */
export function toFirstHop(request: OutboundRequest): Hop {
  const { timeoutMs, maxResponseBytes, followRedirects = 0 } = request;
  requireInteger('timeoutMs', timeoutMs, 1, MAX_TIMEOUT_MS);
  requireInteger('maxResponseBytes', maxResponseBytes, 0, Number.MAX_SAFE_INTEGER);
  requireInteger('followRedirects', followRedirects, 0, MAX_REDIRECTS);
  const headers = Object.entries(request.headers ?? {}).map(([name, value]) => toHeader(name, value));
  const url = parseOutboundUrl(request.url);
  return { url, method: request.method, headers: Object.fromEntries(headers), body: request.body };
}

function toHeader(name: string, value: string): [string, string] {
  if (!HEADER_NAME.test(name))
    throw new OutboundError('protocol', 'A header name has a character that HTTP does not allow');
  const lower = name.toLowerCase();
  if (OWN_HEADERS.has(lower)) throw new OutboundError('protocol', `The header ${lower} cannot be set`);
  if (!HEADER_VALUE.test(value)) {
    throw new OutboundError(
      'protocol',
      `The header ${lower} has a line break or another character that HTTP does not allow`,
    );
  }
  return [lower, value];
}

function requireInteger(name: string, value: number, least: number, most: number): void {
  if (Number.isInteger(value) && value >= least && value <= most) return;
  throw new RangeError(`${name} must be a whole number from ${least} to ${most}`);
}
