import { OutboundError, type OutboundHttpClient, type OutboundResponse } from '@platform/outbound';
import { type CrmAccount } from '../port/crm-account';
import { CrmError, type CrmReason } from '../port/crm.errors';
import { type CrmAnswer, parseJson, toSentence } from './crm-response';
import { type CrmDialect, type CrmFault, getStatusReason, parseRetryAfterMs } from './crm-dialect';
import { UnconfirmedWriteError } from './unconfirmed-write.errors';

/** The HTTP access of all drivers. */
export interface CrmWay {
  readonly http: OutboundHttpClient;
  /** Timeout of a request in milliseconds. */
  readonly timeoutMs: number;
  readonly now: () => Date;
}

export interface CrmRequest {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** Path after the base URL, with a leading slash and encoded ids. */
  readonly path: string;
  /** Undefined values are omitted; a list gives one parameter per value. */
  readonly query?: Readonly<Record<string, string | number | readonly string[] | undefined>>;
  /** Sent as JSON. */
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  /** Whether the request only reads. Default: true for GET; searches by POST set it. */
  readonly isRead?: boolean;
  /** Statuses in addition to 2xx that are no failures of this request. */
  readonly takes?: readonly number[];
}

/** Limit of a response: two thousand people with all their fields. */
const MAX_ANSWER_BYTES = 16 * 1024 * 1024;

/** JSON over HTTP to one account of a vendor. The only retry is one with a new token after a 401. */
export class CrmHttpClient {
  #requests = 0;
  /** Cooldowns by the last response and by a refusal; a later response does not shorten the latter. */
  #cooldownUntil: Date | null = null;
  #refusedUntil: Date | null = null;
  /** Credentials in use, which are masked in every message. */
  readonly #secrets = new Set<string>();

  constructor(
    private readonly way: CrmWay,
    private readonly account: CrmAccount,
    private readonly dialect: CrmDialect,
  ) {}

  get requests(): number {
    return this.#requests;
  }

  get cooldownUntil(): Date | null {
    const now = this.way.now().getTime();
    const until = Math.max(this.#cooldownUntil?.getTime() ?? 0, this.#refusedUntil?.getTime() ?? 0);
    return until > now ? new Date(until) : null;
  }

  /**
   * @throws CrmError; `UnconfirmedWriteError` for a write that may have happened
   * @throws the reason of the signal
   */
  async send(request: CrmRequest, signal?: AbortSignal): Promise<CrmAnswer> {
    signal?.throwIfAborted();
    const { auth } = this.account;
    const token = auth.kind === 'key' ? auth.key : await auth.token();
    const answer = await this.#sendOnce(request, token, signal);
    const fault = this.#getFault(request, answer);
    if (fault === null) return answer;
    if (fault.reason !== 'unauthorised' || auth.kind === 'key') throw this.#toFailure(request, answer, fault);
    const fresh = await auth.token(token);
    if (fresh === token) throw this.#toFailure(request, answer, fault);
    const second = await this.#sendOnce(request, fresh, signal);
    const secondFault = this.#getFault(request, second);
    if (secondFault !== null) throw this.#toFailure(request, second, secondFault);
    return second;
  }

  /** Cleans a sentence of the vendor for display. */
  sentence(text: string): string {
    return toSentence(text, [...this.#secrets]);
  }

  async #sendOnce(request: CrmRequest, secret: string, signal?: AbortSignal): Promise<CrmAnswer> {
    this.#addSecret(secret);
    this.#requests += 1;
    const response = await this.#exchange(request, secret, signal);
    const answer = { status: response.status, headers: response.headers, json: parseJson(response.body) };
    if (response.truncated)
      throw this.#createFailure(request, 'protocol', `${this.dialect.vendor} returned a response that is too large`);
    const cooldownMs = this.dialect.getCooldownMs(answer);
    this.#cooldownUntil = cooldownMs === null ? null : this.#in(cooldownMs);
    return answer;
  }

  /** Adds the secret and its encoded form (RFC 7617), because a vendor may repeat a header. */
  #addSecret(secret: string): void {
    this.#secrets.add(secret);
    const shown = Object.values(this.dialect.authorisation(secret, this.account.auth.kind));
    for (const value of shown) this.#secrets.add(value.slice(value.indexOf(' ') + 1));
  }

  async #exchange(request: CrmRequest, secret: string, signal?: AbortSignal): Promise<OutboundResponse> {
    const { method, body, headers } = request;
    try {
      return await this.way.http.request({
        url: this.#url(request),
        method,
        headers: {
          accept: 'application/json',
          ...(body !== undefined && { 'content-type': 'application/json' }),
          ...headers,
          ...this.dialect.authorisation(secret, this.account.auth.kind),
        },
        ...(body !== undefined && { body: JSON.stringify(body) }),
        timeoutMs: this.way.timeoutMs,
        maxResponseBytes: MAX_ANSWER_BYTES,
        ...(signal && { signal }),
      });
    } catch (error) {
      throw error instanceof OutboundError ? this.#toExchangeFailure(request, error) : error;
    }
  }

  #url({ path, query = {} }: CrmRequest): string {
    const pairs = Object.entries(query).flatMap(([name, value]): [string, string][] => {
      if (value === undefined) return [];
      return typeof value === 'object' ? value.map((one) => [name, one]) : [[name, String(value)]];
    });
    const parameters = new URLSearchParams(pairs).toString();
    return `${this.account.baseUrl.replace(/\/+$/, '')}${path}${parameters === '' ? '' : `?${parameters}`}`;
  }

  #getFault({ takes = [] }: CrmRequest, answer: CrmAnswer): CrmFault | null {
    const { status } = answer;
    if ((status >= 200 && status < 300) || takes.includes(status)) return null;
    return this.dialect.getFault(answer) ?? { reason: getStatusReason(status), sentence: '' };
  }

  #toFailure(request: CrmRequest, answer: CrmAnswer, fault: CrmFault): CrmError {
    const { reason, field = null } = fault;
    const { status } = answer;
    const sentence = this.sentence(fault.sentence);
    const message = `${this.dialect.vendor} answered ${status}${sentence === '' ? '' : `: ${sentence}`}`;
    // 503 means that processing has not started (RFC 9110, 15.6.4); after another 5xx the outcome is unknown.
    if (status >= 500 && status !== 503) return this.#createFailure(request, reason, message);
    const retryAfterMs = fault.retryAfterMs ?? parseRetryAfterMs(answer, this.way.now());
    if (retryAfterMs !== null) this.#refusedUntil = this.#in(retryAfterMs);
    return new CrmError(reason, message, { retryAfterMs, field });
  }

  #toExchangeFailure(request: CrmRequest, error: OutboundError): CrmError {
    const { reason: how, message, ambiguous } = error;
    const reason = how === 'timeout' ? 'timeout' : how === 'protocol' ? 'protocol' : 'unreachable';
    if (ambiguous) return this.#createFailure(request, reason, message, error);
    // A forbidden or invalid address: a retry does not help.
    return new CrmError(error.retry ? reason : 'rejected', message, { cause: error });
  }

  #createFailure(request: CrmRequest, reason: CrmReason, message: string, cause?: unknown): CrmError {
    const { method, isRead = method === 'GET' } = request;
    return isRead ? new CrmError(reason, message, { cause }) : new UnconfirmedWriteError(reason, message, { cause });
  }

  #in(ms: number): Date {
    return new Date(this.way.now().getTime() + ms);
  }
}
