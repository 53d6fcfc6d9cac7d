import { OutboundError, type OutboundHttpClient, type OutboundResponse } from '@platform/outbound';
import { type FetchFunction, type Logger, LogLevel } from '@slack/web-api';
import { ChatError } from '../port/chat.errors';

/** A page of channels is the longest answer: some 300 kB. */
const MAX_ANSWER_BYTES = 2 * 1024 * 1024;

/** What really went over the wire in one call of Slack's client: its errors repeat bodies, ours do not. */
export interface SlackTransport {
  response: OutboundResponse | null;
  failure: unknown;
}

/**
 * The way of Slack's own client to the network: the guarded one, bounded in time and bytes, without redirects and proxies of the
 * environment, and cancelled by the caller's signal.
 */
export function fetchOver(
  http: OutboundHttpClient,
  wire: SlackTransport,
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
      wire.response = response;
      return toFetchResponse(response);
    } catch (error) {
      wire.failure = error;
      throw error;
    }
  };
}

/** What it means that there was no answer. */
export function toChatError(error: OutboundError, posts: boolean): ChatError {
  const lost = posts && error.ambiguous;
  const message = lost
    ? 'Slack did not answer; it may have posted the message'
    : `Slack was not reached: ${error.message}`;
  return new ChatError(lost ? 'lost' : 'unreachable', message, { vendorCode: error.reason, cause: error });
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

/** Slack's client writes to the console, what was sent included: what matters is in the errors. */
export const NO_RESPONSE: Logger = {
  debug: nothing,
  info: nothing,
  warn: nothing,
  error: nothing,
  setLevel: nothing,
  getLevel: () => LogLevel.ERROR,
  setName: nothing,
};
