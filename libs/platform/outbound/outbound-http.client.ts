import { Injectable, type OnModuleDestroy } from '@nestjs/common';
import { Agent, request as send, type Dispatcher } from 'undici';
import { OutboundAddressService, type AddressGuardOptions } from './outbound-address.service';
import { guardedConnector } from './guarded-connector';
import { OutboundError, type OutboundReason } from './outbound.errors';
import { exchangeFailure, timeoutFailure, type Attempt } from './outbound-failures';
import { nextHop } from './outbound-redirects';
import { firstHop, type Hop, type OutboundRequest, type OutboundResponse } from './outbound-request';

export interface OutboundHttpOptions extends AddressGuardOptions {
  /** PEM certificates to trust instead of the built-in ones, for tests. */
  readonly ca?: string;
  /** Told of each request how long it took and how it ended: `answered`, `aborted` by its caller, or why there was no answer. */
  readonly measured?: (outcome: OutboundReason | 'answered' | 'aborted', seconds: number) => void;
}

/** Milliseconds for DNS, TCP and TLS of one connection; a request's own time is usually over before. */
const CONNECT_TIMEOUT_MS = 10_000;

/** Milliseconds for which an idle connection is kept, by default and at most when the server suggests a time. */
const KEEP_ALIVE_MS = 4_000;
const KEEP_ALIVE_MAX_MS = 30_000;

const MAX_RESPONSE_HEADER_BYTES = 16 * 1024;

/**
 * The HTTP client for addresses that users give: webhooks, pages to read, vendors. It connects to allowed addresses only,
 * on every hop (`OutboundAddressService`), and bounds what the other side can cost: time, bytes, header size, redirects. Each
 * request in flight has a connection of its own, so a slow receiver delays nobody else's.
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
      // The total time of the request covers both.
      headersTimeout: 0,
      bodyTimeout: 0,
    });
  }

  /**
   * Sends a request and gives the answer, whatever its status. Nothing is tried again here.
   * @throws OutboundError when no (complete) answer came; see `OutboundReason`.
   * @throws the reason of the request's signal, when that ended it.
   * @throws RangeError when a bound of the request is out of range.
   */
  async request(request: OutboundRequest): Promise<OutboundResponse> {
    const hop = firstHop(request);
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

  /** Takes no more requests, lets those in flight end (their own time bounds that), and closes all connections. */
  async onModuleDestroy(): Promise<void> {
    this.#closing = true;
    await Promise.allSettled(this.#inFlight);
    // Not close(): it would wait for connections that nobody waits for any more.
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
        // A body that was cut off by the caller is his doing and no answer.
        if (response.incomplete) signal?.throwIfAborted();
        const next = followRedirects === 0 ? null : nextHop(hop, response.status, response.headers['location']);
        if (next === null) return response;
        if (followed === followRedirects) throw tooManyRedirects(hop);
        hop = next;
      }
    } catch (error) {
      signal?.throwIfAborted();
      if (error instanceof OutboundError || !timer.signal.aborted) throw exchangeFailure(error, attemptOf(hop));
      throw timeoutFailure(timeoutMs, attemptOf(hop), error);
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
    const response = await unlessAborted(answer, signal);
    return {
      status: response.statusCode,
      headers: flatHeaders(response.headers),
      ...(await readBody(response.body, bounds)),
      url: hop.url.href,
    };
  }
}

/** undici looks at the signal only once a connection stands, so DNS and connecting are raced against it here. */
async function unlessAborted<T>(answer: Promise<T>, signal: AbortSignal): Promise<T> {
  const { promise: aborted, reject } = Promise.withResolvers<never>();
  const abort = (): void => reject(signal.reason);
  signal.addEventListener('abort', abort);
  try {
    return await Promise.race([answer, aborted]);
  } finally {
    signal.removeEventListener('abort', abort);
  }
}

type BodyBounds = Pick<OutboundRequest, 'maxResponseBytes' | 'keepIncomplete'>;
type Body = Pick<OutboundResponse, 'body' | 'truncated' | 'incomplete'>;

/** Leaving the loop early destroys the stream and its socket: the rest is not received. */
async function readBody(stream: Dispatcher.ResponseData['body'], bounds: BodyBounds): Promise<Body> {
  const chunks: Buffer[] = [];
  let room = bounds.maxResponseBytes;
  const came = (how: Omit<Body, 'body'>): Body => ({ body: Buffer.concat(chunks), ...how });
  try {
    for await (const chunk of stream as AsyncIterable<Buffer>) {
      chunks.push(chunk.subarray(0, room));
      if (chunk.length > room) return came({ truncated: true, incomplete: false });
      room -= chunk.length;
    }
  } catch (error) {
    if (bounds.keepIncomplete !== true) throw error;
    return came({ truncated: false, incomplete: true });
  }
  return came({ truncated: false, incomplete: false });
}

function flatHeaders(headers: Dispatcher.ResponseData['headers']): Record<string, string> {
  const entries = Object.entries(headers).flatMap(([name, value]): [string, string][] =>
    value === undefined ? [] : [[name, Array.isArray(value) ? value.join(', ') : value]],
  );
  return Object.fromEntries(entries);
}

function attemptOf(hop: Hop): Attempt {
  return { host: hop.url.host, idempotent: hop.method !== 'POST' && hop.method !== 'PATCH' };
}

function tooManyRedirects(hop: Hop): OutboundError {
  return new OutboundError('too_many_redirects', `${hop.url.host} redirects too often`);
}
