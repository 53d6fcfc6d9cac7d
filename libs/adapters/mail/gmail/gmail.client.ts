import { type IncomingHttpHeaders } from 'node:http';
import { type Readable } from 'node:stream';
import { type RateLimiter } from '@platform/concurrency';
import { type Agent, request } from 'undici';
import { type GmailAccount } from '../port/account';
import { MailError, type MailStage } from '../port/mail.errors';
import { joinSignals, type EitherSignal, isTooLate } from '../concurrency/joined-signal';
import { toGmailFailure, isRateLimit, toUnansweredError } from './gmail-failures';

/** Milliseconds. */
export interface GmailTimeouts {
  /** DNS, TCP and TLS. */
  readonly connect: number;
  /** From the request to its response, and between two chunks of the response. */
  readonly answer: number;
  /** The same for `drafts.send` and uploads: a timeout here makes the send ambiguous. */
  readonly send: number;
}

/** Resources shared by all sessions of a driver. */
export interface GmailHttp {
  readonly agent: Agent;
  /** Ends with a slash. */
  readonly baseUrl: string;
  readonly timeouts: GmailTimeouts;
  /** Concurrent requests by mailbox. It keeps no cooldown: a limit of sending, which lasts for a day, must not stop reading. */
  readonly limiter: RateLimiter;
  readonly wait: (ms: number, signal: AbortSignal) => Promise<void>;
  readonly now: () => number;
}

export interface GmailBody {
  readonly type: string;
  readonly length: number;
  /** Returns a new stream of the bytes for each attempt. */
  readonly content: () => Buffer | Readable;
}

export interface GmailCall {
  readonly method: 'GET' | 'POST' | 'DELETE';
  /** Under `users/me/`; each `{}` stands for one of `ids`. */
  readonly path: string;
  readonly ids?: readonly string[];
  readonly query?: Readonly<Record<string, string | readonly string[]>>;
  readonly json?: object;
  readonly body?: GmailBody;
  /** Whether it goes to the upload URL. */
  readonly upload?: boolean;
  /** Not repeatable: a failure after the submission is `ambiguous`. Default false. */
  readonly once?: boolean;
  readonly stage?: MailStage;
  readonly signal?: AbortSignal | undefined;
}

/** A successful response with an unread body. */
export interface GmailAnswer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: Readable;
}

/** Maximum JSON response in memory: a page of ids has 50 kB, a message with all parts some megabytes. */
const MAX_JSON = 32 * 1024 * 1024;
const MAX_REFUSAL = 64 * 1024;

/** Milliseconds before a read is retried, with 20 % jitter. */
const BACK_OFF = [250, 1_000, 4_000] as const;

/**
 * The client of Gmail's REST API for one mailbox, over undici. Google's client is unsuitable: it decides on retries itself, hides how far a
 * request got, and buffers attachments as text. Idempotent requests are retried a few times. A call marked `once` is retried only after a
 * refused token, which proves that it had no effect.
 */
export class GmailClient {
  constructor(
    private readonly account: GmailAccount,
    private readonly http: GmailHttp,
    private readonly closed: AbortSignal,
  ) {}

  /** @throws MailError */
  async json<T extends object>(request: GmailCall): Promise<T> {
    const { signal, done } = this.#until(request);
    try {
      return await this.#json<T>({ ...request, signal });
    } finally {
      done();
    }
  }

  /** Returns the response with an unread body, which the caller reads or destroys. @throws MailError */
  async open(request: GmailCall): Promise<GmailAnswer> {
    const { signal, done } = this.#until(request);
    const call = { ...request, signal };
    try {
      return await this.#tried(call, async () => {
        const leave = await this.#enter(call);
        try {
          const answer = await this.#authorised(call);
          answer.body.once('close', () => (leave(), done()));
          return answer;
        } catch (error) {
          leave();
          throw error;
        }
      });
    } catch (error) {
      done();
      throw error;
    }
  }

  async #json<T extends object>(call: GmailCall): Promise<T> {
    return this.#tried(call, async () => {
      const text = await this.#readText(call);
      if (text === '') return {} as T;
      try {
        const value: unknown = JSON.parse(text);
        if (typeof value === 'object' && value !== null) return value as T;
      } catch {
        // Invalid JSON is reported below, like JSON that is no object.
      }
      const message = `Gmail's answer to ${getCommand(call)} is not JSON`;
      const failure = call.once ? 'ambiguous' : 'temporary';
      const lastReply = { code: '200', enhancedCode: null, command: getCommand(call), response: '' };
      throw new MailError({ failure, stage: getStage(call), message, lastReply });
    });
  }

  async #readText(call: GmailCall): Promise<string> {
    const leave = await this.#enter(call);
    try {
      return await this.text(await this.#authorised(call), call, MAX_JSON);
    } finally {
      leave();
    }
  }

  /** Reads a body. @throws MailError when it is truncated or larger than `maxBytes` */
  async text({ body }: GmailAnswer, call: GmailCall, maxBytes: number): Promise<string> {
    const chunks: Buffer[] = [];
    let size = 0;
    try {
      for await (const chunk of body) {
        size += (chunk as Buffer).length;
        if (size > maxBytes) break;
        chunks.push(chunk as Buffer);
      }
    } catch (error) {
      throw this.toUnanswered(error, call);
    }
    if (size <= maxBytes) return Buffer.concat(chunks).toString('utf8');
    const message = `Gmail's answer to ${getCommand(call)} is larger than ${maxBytes} bytes`;
    throw new MailError({ failure: 'permanent', stage: getStage(call), message });
  }

  /** Classifies an interrupted request. */
  toUnanswered(error: unknown, call: GmailCall): MailError {
    if (error instanceof MailError) return error;
    if (!this.closed.aborted && !call.signal?.aborted) {
      return toUnansweredError(error, getCommand(call), getStage(call), call.once !== true);
    }
    const message = this.#whyStopped(call);
    return new MailError({ failure: call.once ? 'ambiguous' : 'temporary', stage: getStage(call), message });
  }

  async #tried<T>(call: GmailCall, work: () => Promise<T>): Promise<T> {
    for (let attempt = 0; ; attempt++) {
      try {
        return await work();
      } catch (error) {
        const backOff = BACK_OFF[attempt];
        if (call.once || backOff === undefined || !this.#isWorthRepeating(error, call)) throw error;
        await this.#pause(backOff * (0.9 + Math.random() / 5), call);
      }
    }
  }

  #isWorthRepeating(error: unknown, call: GmailCall): boolean {
    if (this.closed.aborted || call.signal?.aborted) return false;
    if (!(error instanceof MailError) || error.failure !== 'temporary') return false;
    if (error.stage === 'login') return false; // A failure of the token server, not of Gmail.
    // When Gmail states a wait, the caller schedules the retry.
    return error.retryAfterMs === null && (error.lastReply === null || isRateLimit(error) || isFault(error));
  }

  async #pause(ms: number, call: GmailCall): Promise<void> {
    try {
      await this.http.wait(ms, call.signal ?? this.closed);
    } catch (error) {
      throw this.toUnanswered(error, call);
    }
  }

  async #enter(call: GmailCall): Promise<() => void> {
    const signal = call.signal ?? this.closed;
    try {
      const slot = await this.http.limiter.acquire(this.account.email.toLowerCase(), { signal });
      return () => void ('release' in slot && slot.release());
    } catch (error) {
      // Nothing was submitted, so the outcome is never ambiguous.
      throw this.toUnanswered(error, { ...call, once: false });
    }
  }

  async #authorised(call: GmailCall): Promise<GmailAnswer> {
    const token = await this.#token();
    const first = await this.#exchange(call, token);
    if (first.status !== 401) return this.#accepted(first, call, token);
    const refused = await this.#refusal(first, call, token);
    const other = await this.#token(token, refused);
    if (other === token) throw refused;
    return this.#accepted(await this.#exchange(call, other), call, other);
  }

  /** @param answer Gmail's response to the refused token, which is reported when there is no other token */
  async #token(refused?: string, answer?: MailError): Promise<string> {
    try {
      return await this.account.token(refused);
    } catch (error) {
      if (error instanceof MailError) {
        const { failure, message, retryAfterMs } = error;
        const lastReply = error.lastReply ?? answer?.lastReply ?? null;
        throw new MailError({ failure, stage: 'login', message, lastReply, retryAfterMs }, error);
      }
      throw new MailError({ failure: 'temporary', stage: 'login', message: 'There is no access token' }, error);
    }
  }

  async #exchange(call: GmailCall, token: string): Promise<GmailAnswer> {
    if (this.closed.aborted || call.signal?.aborted) {
      const message = this.#whyStopped(call);
      throw new MailError({ failure: 'temporary', stage: 'connect', message }); // Nothing was submitted, so the outcome is never ambiguous.
    }
    const { agent, timeouts } = this.http;
    const ms = call.once || call.body ? timeouts.send : timeouts.answer;
    const body = call.body ?? parseJsonBody(call.json);
    try {
      const answer = await request(this.#url(call), {
        dispatcher: agent,
        method: call.method,
        headers: {
          authorization: `Bearer ${token}`,
          accept: 'application/json',
          ...(body ? { 'content-type': body.type, 'content-length': String(body.length) } : {}),
        },
        body: body ? body.content() : null,
        signal: call.signal ?? this.closed,
        headersTimeout: ms,
        bodyTimeout: ms,
      });
      // A reader that stops early causes an error, which has no other receiver.
      answer.body.on('error', () => undefined);
      return { status: answer.statusCode, headers: answer.headers, body: answer.body };
    } catch (error) {
      throw this.toUnanswered(error, call);
    }
  }

  async #accepted(answer: GmailAnswer, call: GmailCall, token: string): Promise<GmailAnswer> {
    if (answer.status >= 200 && answer.status < 300) return answer;
    throw await this.#refusal(answer, call, token);
  }

  async #refusal(answer: GmailAnswer, call: GmailCall, token: string): Promise<MailError> {
    // The rest of an error page beyond the limit or after a broken connection is irrelevant.
    const body = await this.text(answer, { ...call, once: false }, MAX_REFUSAL).catch(() => '');
    const failure = toGmailFailure(
      {
        status: answer.status,
        headers: answer.headers,
        body: body.replaceAll(token, '[token]'),
        command: getCommand(call),
        stage: getStage(call),
      },
      this.http.now(),
    );
    // A gateway's 5xx does not reveal the outcome behind it.
    const isOpen = call.once === true && answer.status >= 500;
    return new MailError(isOpen ? { ...failure, failure: 'ambiguous', retryAfterMs: null } : failure);
  }

  #until(call: GmailCall): EitherSignal {
    return joinSignals(this.closed, call.signal);
  }

  #whyStopped({ signal }: GmailCall): string {
    if (this.closed.aborted) return 'The session was closed';
    return isTooLate(signal) ? 'Gmail did not answer in time' : 'The caller aborted the request';
  }

  #url({ path, ids = [], query = {}, upload }: GmailCall): URL {
    let next = 0;
    const filled = path.replaceAll('{}', () => encodeURIComponent(ids[next++] ?? ''));
    const url = new URL(`${upload ? 'upload/' : ''}gmail/v1/users/me/${filled}`, this.http.baseUrl);
    for (const [name, values] of Object.entries(query)) {
      for (const value of typeof values === 'string' ? [values] : values) url.searchParams.append(name, value);
    }
    return url;
  }
}

function parseJsonBody(json: object | undefined): GmailBody | null {
  if (!json) return null;
  const bytes = Buffer.from(JSON.stringify(json));
  return { type: 'application/json', length: bytes.length, content: () => bytes };
}

function getCommand({ method, path }: GmailCall): string {
  return `${method} ${path.replaceAll('{}', '{id}')}`;
}

function getStage(call: GmailCall): MailStage {
  return call.stage ?? 'request';
}

/** A 5xx or an invalid response: a temporary fault of Gmail. */
function isFault({ lastReply }: MailError): boolean {
  return (
    lastReply !== null &&
    (lastReply.code?.startsWith('5') === true || lastReply.code === '200' || lastReply.code === '408')
  );
}
