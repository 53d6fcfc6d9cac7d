import { OutboundError, type OutboundHttpClient, type OutboundResponse } from '@platform/outbound';
import { type FetchFunction, type Logger, LogLevel } from '@slack/web-api';
import { ChatError } from '../port/chat.errors';

/** Limit of a response; a page of channels, the longest one, has some 300 kB. */
const MAX_ANSWER_BYTES = 2 * 1024 * 1024;

/** The HTTP exchange of one call of Slack's client, for errors without bodies. */
export interface SlackTransport {
  response: OutboundResponse | null;
  failure: unknown;
}

/**
 * The `fetch` of Slack's client over the guarded HTTP client: limited in time and bytes, without redirects and environment proxies,
 * and aborted by the caller's signal.
 */
export function fetchOver(
  http: OutboundHttpClient,
  transport: SlackTransport,
  timeoutMs: number,
  signal?: AbortSignal,
): FetchFunction {
  return async (url, init) => {
    try {
      const response = await http.request({
        url: String(url),
        method: 'POST',
        headers: init?.headers ?? {},
        body: typeof init?.body === 'string' ? init.body : '',
        timeoutMs,
        maxResponseBytes: MAX_ANSWER_BYTES,
        ...(signal && { signal }),
      });
      transport.response = response;
      return toFetchResponse(response);
    } catch (error) {
      transport.failure = error;
      throw error;
    }
  };
}

/** Converts an exchange without a response. */
export function toChatError(error: OutboundError, posts: boolean): ChatError {
  const isAmbiguous = posts && error.ambiguous;
  const message = isAmbiguous
    ? 'Slack did not answer; it may have posted the message'
    : `Slack could not be reached: ${error.message}`;
  return new ChatError(isAmbiguous ? 'unconfirmed' : 'unreachable', message, {
    vendorCode: error.reason,
    cause: error,
  });
}

function toFetchResponse({ status, headers, body, url }: OutboundResponse): Awaited<ReturnType<FetchFunction>> {
  const text = body.toString('utf8');
  return {
    ok: status >= 200 && status < 300,
    status,
    statusText: '',
    url,
    headers: { get: (name) => headers[name.toLowerCase()] ?? null, entries: () => Object.entries(headers) },
    arrayBuffer: () => Promise.resolve(Uint8Array.from(body).buffer),
    json: () => Promise.resolve(JSON.parse(text) as unknown),
    text: () => Promise.resolve(text),
  };
}

const nothing = (): void => undefined;

/** Silences the console output of Slack's client, which contains request bodies. */
export const NO_RESPONSE: Logger = {
  debug: nothing,
  info: nothing,
  warn: nothing,
  error: nothing,
  setLevel: nothing,
  getLevel: () => LogLevel.ERROR,
  setName: nothing,
};
