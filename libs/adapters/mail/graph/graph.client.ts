import { Readable } from 'node:stream';
import { type RateLimiter } from '@platform/concurrency';
import { type Dispatcher, request } from 'undici';
import { type TokenSource } from '../port/account';
import { MailError } from '../port/mail.errors';
import { joinSignals, type EitherSignal, isTooLate } from '../concurrency/joined-signal';
import { GraphError, toConnectionFailure, toGraphRefusal } from './graph.errors';
import { type GraphTime } from './graph-time';
import { getBase, getLinkPath } from './graph-links';

/** Milliseconds. */
export interface GraphTimeouts {
  /** TCP and TLS. */
  readonly connectMs: number;
  /** Until the response starts. */
  readonly answerMs: number;
  /** Between two chunks of the response. */
  readonly bodyMs: number;
}

export interface GraphRequest {
  readonly method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  /** Path below the base URL of the API, with its query. */
  readonly path: string;
  /** The value for `ServerReply.command`, without ids and arguments. */
  readonly command: string;
  /** Whether the request is idempotent: then it is retried after temporary failures. */
  readonly repeatable: boolean;
  readonly headers?: Readonly<Record<string, string>>;
  /** Preferences (RFC 7240) in addition to immutable ids. */
  readonly prefer?: string;
  readonly body?: string;
  readonly signal?: AbortSignal;
}

export interface GraphAnswer<T> {
  readonly body: T;
  /** The server's clock. */
  readonly at: Date;
}

export interface GraphPage<T> {
  readonly value: readonly T[];
  /** Path of the next page, null on the last one. */
  readonly next: string | null;
  /** Delta link for later changes, on the last page of a delta query. */
  readonly delta: string | null;
  readonly at: Date;
}

export interface GraphClientOptions {
  readonly apiUrl: string;
  readonly dispatcher: Dispatcher;
  readonly token: TokenSource;
  /** Concurrent requests and throttling, by mailbox. */
  readonly limiter: RateLimiter;
  readonly mailbox: string;
  readonly time: GraphTime;
  readonly timeouts: GraphTimeouts;
}

/** A request with its abort signal, which the caller or the end of the session fires. */
type AbortableRequest = GraphRequest & { readonly signal: AbortSignal };

interface Open {
  readonly response: Dispatcher.ResponseData;
  readonly leave: () => void;
}

/** Delays between the attempts of a repeatable request (milliseconds). */
const BACK_OFF_MS = [300, 1_000, 3_000];

/** The longest Retry-After (milliseconds) that the client waits for; the caller schedules longer ones. */
const TIMEOUT_MS = 10_000;

const MAX_JSON_BYTES = 32 * 1024 * 1024;
const MAX_ERROR_BYTES = 16 * 1024;

/**
 * The HTTP client for one mailbox of Microsoft Graph. It uses plain REST: Microsoft's own library (microsoft-graph-client) is no longer
 * maintained, and its hidden retries are unsuitable for sending.
 */
export class GraphClient {
  readonly #base: string;
  readonly #closed = new AbortController();

  constructor(private readonly options: GraphClientOptions) {
    this.#base = getBase(options.apiUrl);
  }

  get apiUrl(): string {
    return this.#base;
  }

  /** Requests JSON; an empty response is null. @throws GraphError, or the error of the token source */
  async json<T>(call: GraphRequest): Promise<GraphAnswer<T>> {
    const { signal, done } = this.#until(call);
    try {
      return await this.#json<T>({ ...call, signal });
    } finally {
      done();
    }
  }

  async #json<T>(call: AbortableRequest): Promise<GraphAnswer<T>> {
    return this.#persistently(call, async () => {
      const { response, leave } = await this.#open(call);
      try {
        const bytes = await this.#read(response, call, MAX_JSON_BYTES);
        const at = new Date(String(response.headers['date']));
        return {
          body: this.#parse<T>(bytes, call),
          at: Number.isNaN(at.getTime()) ? new Date(this.options.time.now()) : at,
        };
      } finally {
        leave();
      }
    });
  }

  /** One page of a collection. @throws GraphError also when the link to the next page leads to another host */
  async page<T>(
    path: string,
    command: string,
    more: Pick<GraphRequest, 'prefer' | 'signal'> = {},
  ): Promise<GraphPage<T>> {
    const call = { method: 'GET', path, command, repeatable: true, ...more } as const;
    const { body, at } = await this.json<Record<string, unknown> | null>(call);
    const value = body?.['value'];
    if (!body || !Array.isArray(value)) throw createUnreadableError(command);
    return {
      // Reading properties is safe for any value in place of an entry.
      value: value.map((entry: unknown) => (typeof entry === 'object' && entry !== null ? entry : {}) as T),
      next: this.#linkOf(body['@odata.nextLink'], command),
      delta: this.#linkOf(body['@odata.deltaLink'], command),
      at,
    };
  }

  /** The pages of a collection, up to a maximum. */
  async *pages<T>(path: string, command: string, atMost: number): AsyncGenerator<readonly T[]> {
    let next: string | null = path;
    for (let count = 0; next !== null && count < atMost; count++) {
      const page: GraphPage<T> = await this.page<T>(next, command);
      yield page.value;
      next = page.next;
    }
  }

  /** Requests bytes. The slot is occupied until the stream ends or is destroyed. */
  async stream(call: GraphRequest): Promise<Readable> {
    const { signal, done } = this.#until(call);
    const abortable = { ...call, signal };
    const { response, leave } = await this.#persistently(abortable, () => this.#open(abortable)).catch(
      (error: unknown) => {
        done();
        throw error;
      },
    );
    const { body } = response;
    const content = Readable.from(this.#chunks(body, abortable), { objectMode: false });
    content.once('close', () => {
      // A reader that stops early gets no error.
      body.on('error', () => undefined);
      body.destroy();
      leave();
      done();
    });
    return content;
  }

  /** Running and later requests fail. */
  close(): void {
    this.#closed.abort();
  }

  async *#chunks(body: Dispatcher.ResponseData['body'], call: AbortableRequest): AsyncGenerator<Buffer> {
    try {
      for await (const chunk of body) yield chunk as Buffer;
    } catch (error) {
      throw this.#failed(error, call);
    }
  }

  /** Retries repeatable requests after temporary failures, within limits. */
  async #persistently<T>(call: AbortableRequest, attempt: () => Promise<T>): Promise<T> {
    for (let tried = 0; ; tried++) {
      try {
        return await attempt();
      } catch (error) {
        const pause = BACK_OFF_MS[tried];
        if (!(error instanceof GraphError) || error.failure !== 'temporary') throw error;
        if (!call.repeatable || pause === undefined || call.signal.aborted || error.status === 410) throw error;
        const waitMs = Math.max(pause * (0.5 + Math.random()), error.retryAfterMs ?? 0);
        if (waitMs > TIMEOUT_MS) throw error;
        await this.#wait(waitMs, call);
      }
    }
  }

  /** Waits for a slot of the mailbox, and for the end of a short throttling; a longer one is an error. */
  async #enter({ repeatable, signal }: AbortableRequest): Promise<() => void> {
    const { limiter, mailbox } = this.options;
    const slot = await limiter.acquire(mailbox, { signal, maxCooldownMs: repeatable ? TIMEOUT_MS : 0 });
    if ('release' in slot) return () => void slot.release();
    throw new GraphError({
      failure: 'temporary',
      stage: 'request',
      message: 'Microsoft Graph throttles the mailbox; requests wait as long as it demands',
      retryAfterMs: slot.freeInMs,
    });
  }

  async #wait(ms: number, call: AbortableRequest): Promise<void> {
    try {
      await this.options.time.wait(ms, call.signal);
    } catch (error) {
      throw this.#failed(error, call);
    }
  }

  async #open(call: AbortableRequest): Promise<Open> {
    let leave = (): void => undefined;
    let isSent = false;
    try {
      leave = await this.#enter(call);
      let token = await this.options.token();
      call.signal.throwIfAborted();
      isSent = true;
      let response = await this.#exchange(call, token);
      if (response.statusCode === 401) {
        // A 401 precedes any effect, so any request can be retried once.
        isSent = false;
        await response.body.dump();
        token = await this.options.token(token);
        call.signal.throwIfAborted();
        isSent = true;
        response = await this.#exchange(call, token);
      }
      return { response: await this.#accepted(response, call, token), leave };
    } catch (error) {
      leave();
      throw this.#failed(error, call, isSent);
    }
  }

  #exchange(call: AbortableRequest, token: string): Promise<Dispatcher.ResponseData> {
    const { timeouts, dispatcher } = this.options;
    return request(this.#base + call.path, {
      dispatcher,
      method: call.method,
      headers: {
        authorization: `Bearer ${token}`,
        accept: 'application/json, */*;q=0.1',
        prefer: ['IdType="ImmutableId"', call.prefer].filter(Boolean).join(', '),
        ...call.headers,
      },
      // Graph requires `Content-Length: 0` for a POST without a body.
      body: call.body ?? (call.method === 'GET' || call.method === 'DELETE' ? null : ''),
      signal: call.signal,
      headersTimeout: timeouts.answerMs,
      bodyTimeout: timeouts.bodyMs,
    });
  }

  async #accepted(
    response: Dispatcher.ResponseData,
    call: AbortableRequest,
    secret: string,
  ): Promise<Dispatcher.ResponseData> {
    const { statusCode: status, headers } = response;
    if (status >= 200 && status < 300) return response;
    const body = (await this.#read(response, call, MAX_ERROR_BYTES, 'cut').catch(() => Buffer.alloc(0))).toString(
      'utf8',
    );
    const refusal = toGraphRefusal({ status, headers, body, command: call.command, secret });
    if ((status === 429 || status === 503) && refusal.retryAfterMs) {
      this.options.limiter.coolDown(this.options.mailbox, refusal.retryAfterMs);
    }
    throw refusal;
  }

  async #read(
    { body }: Dispatcher.ResponseData,
    call: AbortableRequest,
    max: number,
    beyond: 'fail' | 'cut' = 'fail',
  ): Promise<Buffer> {
    const chunks: Buffer[] = [];
    let size = 0;
    try {
      for await (const chunk of body) {
        chunks.push(chunk as Buffer);
        size += (chunk as Buffer).length;
        if (size > max) break;
      }
    } catch (error) {
      throw this.#failed(error, call);
    }
    if (size > max && beyond === 'fail') throw createUnreadableError(call.command);
    return Buffer.concat(chunks).subarray(0, max);
  }

  #parse<T>(bytes: Buffer, call: AbortableRequest): T {
    if (bytes.length === 0) return null as T;
    try {
      return JSON.parse(bytes.toString('utf8')) as T;
    } catch (error) {
      throw createUnreadableError(call.command, error);
    }
  }

  #linkOf(link: unknown, command: string): string | null {
    if (link === undefined || link === null) return null;
    const path = typeof link === 'string' ? getLinkPath(this.#base, link) : null;
    if (path === null) throw createUnreadableError(command, new Error('A link of the response is outside the API'));
    return path;
  }

  /** @param isSent whether the request may have reached the server */
  #failed(error: unknown, { signal, command }: AbortableRequest, isSent = true): unknown {
    if (error instanceof MailError) return error;
    if (!signal.aborted) {
      return isSent ? toConnectionFailure(error, command) : toNotSentFailure('There is no access token', error);
    }
    const late = isTooLate(signal) ? 'Microsoft Graph did not answer in time' : 'The caller aborted the request';
    const message = this.#closed.signal.aborted ? 'The session is closed' : late;
    return new GraphError({ failure: 'temporary', stage: 'request', message, isSent }, error);
  }

  #until({ signal }: GraphRequest): EitherSignal {
    return joinSignals(this.#closed.signal, signal);
  }
}

/** The error of the token source may contain anything; nothing was submitted. */
function toNotSentFailure(message: string, cause: unknown): GraphError {
  return new GraphError({ failure: 'temporary', stage: 'login', message }, cause);
}

function createUnreadableError(command: string, cause?: unknown): GraphError {
  const message = `The response of Microsoft Graph to ${command} is unreadable`;
  return new GraphError({ failure: 'temporary', stage: 'request', message, isSent: true }, cause);
}
