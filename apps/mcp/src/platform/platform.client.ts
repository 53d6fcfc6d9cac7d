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
import { ToolRefusedError, toRefusal } from './refusal';

/** Bytes of an answer: a hundred long mails. What is longer could not be given to a language model either. */
const MAX_ANSWER_BYTES = 16 * 1024 * 1024;

/** Requests for one answer, the first included. */
const MAX_ATTEMPTS = 4;

/** Milliseconds before the first repetition when nobody says how long to wait; doubled each time. */
const FIRST_PAUSE_MS = 500;

/** Milliseconds that are waited because the platform says so: the rate limit counts in windows of ten seconds. */
const LONGEST_PAUSE_MS = 15_000;

/** Refusals that pass by themselves: too many requests, and a platform or a proxy that is not there at the moment. */
const PASSING: ReadonlySet<number> = new Set([429, 502, 503, 504]);

export interface PlatformAnswer {
  readonly data: unknown;
  /** Where a list goes on. */
  readonly pagination?: unknown;
}

/**
 * The HTTP API of a platform, with the user's key. Everything may be repeated: a POST carries one Idempotency-Key through all of
 * its attempts, and reads and the few PATCHes that are offered are the same twice.
 */
export class PlatformClient {
  constructor(
    private readonly http: Pick<OutboundHttpClient, 'request'>,
    private readonly config: Pick<McpConfig, 'url' | 'apiKey' | 'workspace' | 'timeoutMs'>,
    private readonly wait: (ms: number, signal: AbortSignal) => Promise<void> = waiting,
  ) {}

  /**
   * @param signal ends it, waiting included
   * @throws Refusal when the platform refuses, or cannot be reached
   * @throws the reason of the signal
   */
  async ask(request: ToolRequest, signal: AbortSignal): Promise<PlatformAnswer> {
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
      return outcomeOf(response);
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
      // Five endpoints want the key twice; the others do not look.
      authorization: `Bearer ${apiKey}`,
      ...(workspace && { 'x-workspace-id': workspace }),
      ...(body && { 'content-type': 'application/json' }),
      // New for each call of a tool: the same arguments again are meant to be done again.
      ...(method === 'POST' && { 'idempotency-key': randomUUID() }),
    };
  }
}

async function waiting(ms: number, signal: AbortSignal): Promise<void> {
  await pause(ms, undefined, { signal });
}

type Outcome = PlatformAnswer | { refusal: ToolRefusedError; passes: boolean; waitMs?: number };

function outcomeOf({ status, headers, body, truncated }: OutboundResponse): Outcome {
  if (truncated) {
    const message = `The answer has more than ${MAX_ANSWER_BYTES} bytes: ask for less`;
    return { refusal: new ToolRefusedError({ code: 'ANSWER_TOO_LARGE', message, status }), passes: false };
  }
  const isText = /^text\/plain\b/i.test(headers['content-type'] ?? '');
  const content = isText ? body.toString() : parsed(body.toString());
  const isOk = status >= 200 && status < 300;
  if (isOk && isText) return { data: content };
  if (isOk && isEnvelope(content)) return content;
  const waitMs = retryAfterMs(headers['retry-after'], headers['date']);
  const refusal = toRefusal(status, content, waitMs);
  // The first attempt may still be at work after its answer was lost.
  const passes = PASSING.has(status) || refusal.fields.code === 'IDEMPOTENCY_CONFLICT';
  return { refusal, passes, ...(waitMs !== null && { waitMs }) };
}

function isEnvelope(content: unknown): content is PlatformAnswer {
  return typeof content === 'object' && content !== null && 'data' in content;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
