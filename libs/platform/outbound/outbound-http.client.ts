import { Injectable, type OnModuleDestroy } from '@nestjs/common';
import { unlessAborted } from '@platform/concurrency';
import { Agent, request as send, type Dispatcher } from 'undici';
import { OutboundAddressService, type AddressGuardOptions } from './outbound-address.service';
import { guardedConnector } from './guarded-connector';
import { OutboundError, type OutboundReason } from './outbound.errors';
import { exchangeFailure, timeoutFailure, type Attempt } from './outbound-failures';
import { toNextHop } from './outbound-redirects';
import { toFirstHop, type Hop, type OutboundRequest, type OutboundResponse } from './outbound-request';

export interface OutboundHttpOptions extends AddressGuardOptions {
  /** PEM certificates to trust instead of the built-in ones, for tests. */
  readonly ca?: string;
  /** Receives the duration and outcome of each request: `answered`, `aborted` by its caller, or the reason of the failure. */
  readonly measured?: (outcome: OutboundReason | 'answered' | 'aborted', seconds: number) => void;
}

/** Milliseconds for DNS, TCP and TLS of one connection; the timeout of a request is usually shorter. */
const CONNECT_TIMEOUT_MS = 10_000;

/** Milliseconds for which an idle connection stays open: by default, and at most when the server suggests a time. */
const KEEP_ALIVE_MS = 4_000;
const KEEP_ALIVE_MAX_MS = 30_000;

const MAX_RESPONSE_HEADER_BYTES = 16 * 1024;

/**
 * The HTTP client for user-supplied addresses: webhooks, web pages, vendors. On every hop it connects to allowed addresses only
 * (`OutboundAddressService`), and it limits time, bytes, header size and redirects. Each request in progress has its own
 * connection, so that a slow receiver delays no other request.
 */
@Injectable()
export class OutboundHttpClient implements OnModuleDestroy {
  readonly #agent: Agent;
  readonly #inFlight = new Set<Promise<OutboundResponse>>();
  #closing = false;

  constructor(private readonly options: OutboundHttpOptions) {
    this.#agent = new Agent({
      connect: guardedConnector(new OutboundAddressService(options), { timeoutMs: CONNECT_TIMEOUT_MS, ca: options.ca }),
      allowH2: false,
      pipelining: 1,
      keepAliveTimeout: KEEP_ALIVE_MS,
      keepAliveMaxTimeout: KEEP_ALIVE_MAX_MS,
      maxHeaderSize: MAX_RESPONSE_HEADER_BYTES,
      // The timeout of the request covers both.
      headersTimeout: 0,
      bodyTimeout: 0,
    });
  }

  /**
   * Sends a request and returns the response of any status. It does not retry.
   * @throws OutboundError without a (complete) response; see `OutboundReason`.
   * @throws the reason of the request's signal, when that aborted it.
   * @throws RangeError when a bound of the request is out of range.
   */
  async request(request: OutboundRequest): Promise<OutboundResponse> {
    const hop = toFirstHop(request);
    if (this.#closing) throw new OutboundError('connect', 'The client is shutting down', { retry: true });
    const answer = this.follow(hop, request);
    this.#inFlight.add(answer);
    const began = performance.now();
    const ended = (outcome: OutboundReason | 'answered' | 'aborted'): void =>
      this.options.measured?.(outcome, (performance.now() - began) / 1_000);
    try {
      const response = await answer;
      ended('answered');
      return response;
    } catch (error) {
      ended(error instanceof OutboundError ? error.reason : 'aborted');
      throw error;
    } finally {
      this.#inFlight.delete(answer);
    }
  }

  /** Refuses new requests, waits for those in progress (their timeouts limit the wait), and closes all connections. */
  async onModuleDestroy(): Promise<void> {
    this.#closing = true;
    await Promise.allSettled(this.#inFlight);
    // Not close(): it would wait for connections of abandoned requests.
    await this.#agent.destroy();
  }

  private async follow(first: Hop, request: OutboundRequest): Promise<OutboundResponse> {
    const { timeoutMs, followRedirects = 0, signal } = request;
    signal?.throwIfAborted();
    const timer = new AbortController();
    const stop = (): void => timer.abort();
    const timeout = setTimeout(stop, timeoutMs);
    signal?.addEventListener('abort', stop, { once: true });
    let hop = first;
    try {
      for (let followed = 0; ; followed++) {
        const response = await this.exchange(hop, request, timer.signal);
        // A body that the caller's signal cut off is no response.
        if (response.incomplete) signal?.throwIfAborted();
        const next = followRedirects === 0 ? null : toNextHop(hop, response.status, response.headers['location']);
        if (next === null) return response;
        if (followed === followRedirects) throw tooManyRedirects(hop);
        hop = next;
      }
    } catch (error) {
      signal?.throwIfAborted();
      if (error instanceof OutboundError || !timer.signal.aborted) throw exchangeFailure(error, toAttempt(hop));
      throw timeoutFailure(timeoutMs, toAttempt(hop), error);
    } finally {
      clearTimeout(timeout);
      signal?.removeEventListener('abort', stop);
    }
  }

  private async exchange(hop: Hop, bounds: BodyBounds, signal: AbortSignal): Promise<OutboundResponse> {
    signal.throwIfAborted();
    const answer = send(hop.url, {
      dispatcher: this.#agent,
      method: hop.method,
      headers: { ...hop.headers, 'accept-encoding': 'identity' },
      body: hop.body ?? null,
      signal,
    });
    // undici checks the signal only after the connection is established, so DNS and connecting race against it here.
    const response = await unlessAborted(answer, signal);
    return {
      status: response.statusCode,
      headers: flattenHeaders(response.headers),
      ...(await readBody(response.body, bounds)),
      url: hop.url.href,
    };
  }
}

type BodyBounds = Pick<OutboundRequest, 'maxResponseBytes' | 'keepIncomplete'>;
type Body = Pick<OutboundResponse, 'body' | 'truncated' | 'incomplete'>;

/** An early return destroys the stream and its socket, so that the remaining bytes are not received. */
async function readBody(stream: Dispatcher.ResponseData['body'], bounds: BodyBounds): Promise<Body> {
  const chunks: Buffer[] = [];
  let remaining = bounds.maxResponseBytes;
  const received = (how: Omit<Body, 'body'>): Body => ({ body: Buffer.concat(chunks), ...how });
  try {
    for await (const chunk of stream as AsyncIterable<Buffer>) {
      chunks.push(chunk.subarray(0, remaining));
      if (chunk.length > remaining) return received({ truncated: true, incomplete: false });
      remaining -= chunk.length;
    }
  } catch (error) {
    if (bounds.keepIncomplete !== true) throw error;
    return received({ truncated: false, incomplete: true });
  }
  return received({ truncated: false, incomplete: false });
}

function flattenHeaders(headers: Dispatcher.ResponseData['headers']): Record<string, string> {
  const entries = Object.entries(headers).flatMap(([name, value]): [string, string][] =>
    value === undefined ? [] : [[name, Array.isArray(value) ? value.join(', ') : value]],
  );
  return Object.fromEntries(entries);
}

function toAttempt(hop: Hop): Attempt {
  return { host: hop.url.host, idempotent: hop.method !== 'POST' && hop.method !== 'PATCH' };
}

function tooManyRedirects(hop: Hop): OutboundError {
  return new OutboundError('too_many_redirects', `${hop.url.host} redirects too often`);
}
