import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { type McpConfig, VERSION } from '@platform/config';
import {
  OutboundError,
  type OutboundHttpClient,
  type OutboundMethod,
  type OutboundResponse,
  retryAfterMs,
} from '@platform/outbound';
import { type ToolRequest } from '../tools/request';
import { ToolRefusedError, toToolRefusal } from './tool-refused.errors';

/** Bytes of a response: a hundred long mails. A language model could not take more either. */
const MAX_ANSWER_BYTES = 16 * 1024 * 1024;

/** Attempts per request, including the first. */
const MAX_ATTEMPTS = 4;

/** Milliseconds before the first retry if the platform names no delay; doubled each time. */
const FIRST_PAUSE_MS = 500;

/** Most milliseconds that a requested delay may take: the rate limit counts in windows of ten seconds. */
const LONGEST_PAUSE_MS = 15_000;

/** Temporary failures: too many requests, and a platform or proxy that is unavailable. */
const PASSING: ReadonlySet<number> = new Set([429, 502, 503, 504]);

export interface PlatformAnswer {
  readonly data: unknown;
  /** Position of the next page of a list. */
  readonly pagination?: unknown;
}

/**
 * HTTP API of the platform with the user's key. Every request can be repeated: a POST sends one Idempotency-Key with
 * all its attempts; reads and the few offered PATCHes are idempotent.
 */
export class PlatformClient {
  constructor(
    private readonly http: Pick<OutboundHttpClient, 'request'>,
    private readonly config: Pick<McpConfig, 'url' | 'apiKey' | 'workspace' | 'timeoutMs'>,
    private readonly wait: (ms: number, signal: AbortSignal) => Promise<void> = waitFor,
  ) {}

  /**
   * @param signal aborts the request and its delays
   * @throws Refusal when the platform rejects the request or is not reachable
   * @throws the reason of the signal
   */
  async request(request: ToolRequest, signal: AbortSignal): Promise<PlatformAnswer> {
    const headers = this.#headers(request);
    for (let attempt = 1; ; attempt++) {
      const outcome = await this.#attempt(request, headers, signal);
      if (!('refusal' in outcome)) return outcome;
      const waitMs = outcome.waitMs === undefined ? FIRST_PAUSE_MS * 2 ** (attempt - 1) : outcome.waitMs;
      if (!outcome.passes || attempt === MAX_ATTEMPTS || waitMs > LONGEST_PAUSE_MS) throw outcome.refusal;
      await this.wait(waitMs, signal);
    }
  }

  async #attempt(request: ToolRequest, headers: Record<string, string>, signal: AbortSignal): Promise<Outcome> {
    try {
      const response = await this.http.request({
        url: this.config.url + request.path,
        method: request.method as OutboundMethod,
        headers,
        ...(request.body && { body: JSON.stringify(request.body) }),
        timeoutMs: this.config.timeoutMs,
        maxResponseBytes: MAX_ANSWER_BYTES,
        signal,
      });
      return readOutcome(response);
    } catch (error) {
      if (!(error instanceof OutboundError)) throw error;
      const { message, retry, ambiguous } = error;
      return { refusal: new ToolRefusedError({ code: 'UNREACHABLE', message }), passes: retry || ambiguous };
    }
  }

  #headers({ method, body }: ToolRequest): Record<string, string> {
    const { apiKey, workspace } = this.config;
    return {
      accept: 'application/json, text/plain;q=0.9',
      'user-agent': `outreach-mcp/${VERSION}`,
      'x-api-key': apiKey,
      // Five endpoints require the key in both headers; the others ignore the second.
      authorization: `Bearer ${apiKey}`,
      ...(workspace && { 'x-workspace-id': workspace }),
      ...(body && { 'content-type': 'application/json' }),
      // New for each tool call: equal arguments in a later call are a new request.
      ...(method === 'POST' && { 'idempotency-key': randomUUID() }),
    };
  }
}

async function waitFor(ms: number, signal: AbortSignal): Promise<void> {
  await pause(ms, undefined, { signal });
}

type Outcome = PlatformAnswer | { refusal: ToolRefusedError; passes: boolean; waitMs?: number };

function readOutcome({ status, headers, body, truncated }: OutboundResponse): Outcome {
  if (truncated) {
    const message = `The answer has more than ${MAX_ANSWER_BYTES} bytes: request less`;
    return { refusal: new ToolRefusedError({ code: 'ANSWER_TOO_LARGE', message, status }), passes: false };
  }
  const isText = /^text\/plain\b/i.test(headers['content-type'] ?? '');
  const content = isText ? body.toString() : parseJson(body.toString());
  const isOk = status >= 200 && status < 300;
  if (isOk && isText) return { data: content };
  if (isOk && isEnvelope(content)) return content;
  const waitMs = retryAfterMs(headers['retry-after'], headers['date']);
  const refusal = toToolRefusal(status, content, waitMs);
  // The first attempt may still run after its response was lost.
  const passes = PASSING.has(status) || refusal.fields.code === 'IDEMPOTENCY_CONFLICT';
  return { refusal, passes, ...(waitMs !== null && { waitMs }) };
}

function isEnvelope(content: unknown): content is PlatformAnswer {
  return typeof content === 'object' && content !== null && 'data' in content;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
