import type { ApiRequest, CallOptions, OutreachOptions } from './call-types.ts';
import { ApiError, ConnectionError } from './errors.ts';
import { type Prepared, prepare } from './request.ts';
import { pauseBefore } from './retry.ts';

const TIMEOUT_MS = 30_000;
const RETRIES = 3;

type Reader<T> = (response: Response) => Promise<T>;

/**
 * Sends a request, retries it where that is safe, and reads the response.
 * @throws ApiError when the platform rejects it, ConnectionError without a response
 */
export async function send<T>(
  client: OutreachOptions,
  request: ApiRequest,
  options: CallOptions,
  read: Reader<T>,
): Promise<T> {
  const prepared = prepare(client, request, options);
  const retries = options.retries ?? client.retries ?? RETRIES;
  for (let attempts = 1; ; attempts++) {
    try {
      return await attempt(client, prepared, options, read);
    } catch (error) {
      const pause = attempts > retries ? undefined : pauseAfter(error, prepared, attempts);
      if (pause === undefined) throw error;
      await (client.pause ?? sleep)(pause, options.signal);
    }
  }
}

function pauseAfter(error: unknown, { method, headers }: Prepared, attempts: number): number | undefined {
  const failure = { method, keyed: headers.has('idempotency-key'), attempts };
  if (error instanceof ApiError) {
    const { status, code, retryAfterMs } = error;
    return pauseBefore(
      { ...failure, status, code, ...(retryAfterMs !== undefined && { retryAfterMs }) },
      Math.random(),
    );
  }
  // A timeout is not retried: the caller has already waited for the whole limit.
  if (!(error instanceof ConnectionError) || error.timedOut) return undefined;
  return pauseBefore(failure, Math.random());
}

async function attempt<T>(
  client: OutreachOptions,
  { url, method, headers, body }: Prepared,
  options: CallOptions,
  read: Reader<T>,
): Promise<T> {
  options.signal?.throwIfAborted();
  const ending = new AbortController();
  const timeoutMs = options.timeoutMs ?? client.timeoutMs ?? TIMEOUT_MS;
  let timedOut = false;
  const timer = setTimeout(() => {
    timedOut = true;
    ending.abort();
  }, timeoutMs);
  const onAbort = (): void => ending.abort(options.signal?.reason);
  options.signal?.addEventListener('abort', onAbort, { once: true });
  try {
    const go = client.fetch ?? globalThis.fetch;
    // A redirect must not carry the API key to another address.
    const answer = await go(url, { method, headers, body: body ?? null, redirect: 'manual', signal: ending.signal });
    return await readAnswer(answer, read);
  } catch (error) {
    if (error instanceof ApiError) throw error;
    options.signal?.throwIfAborted();
    if (timedOut) throw new ConnectionError(`No answer within ${timeoutMs} ms`, { cause: error, timedOut });
    throw new ConnectionError(`No answer from ${new URL(url).host}`, { cause: error });
  } finally {
    clearTimeout(timer);
    // The download of a file continues: the caller can abort it as well.
    if ((read as unknown) !== fileOf) options.signal?.removeEventListener('abort', onAbort);
  }
}

async function readAnswer<T>(response: Response, read: Reader<T>): Promise<T> {
  if (response.ok) return read(response);
  throw new ApiError(response, parsed(await response.text()));
}

/** Reads the envelope of a response; any other content with a 200 is from a proxy. */
export async function jsonOf<T>(response: Response): Promise<T> {
  const body = parsed(await response.text());
  if (typeof body === 'object' && body !== null && 'data' in body) return body as T;
  throw new ApiError(response, undefined);
}

/** Returns the response unread, because a file may be large: the caller reads its body. */
export function fileOf(response: Response): Promise<Response> {
  return Promise.resolve(response);
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

function sleep(ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((done, ended) => {
    const timer = setTimeout(end, ms);
    function end(): void {
      clearTimeout(timer);
      signal?.removeEventListener('abort', end);
      if (signal?.aborted) ended(signal.reason as Error);
      else done();
    }
    signal?.addEventListener('abort', end);
    if (signal?.aborted) end();
  });
}
