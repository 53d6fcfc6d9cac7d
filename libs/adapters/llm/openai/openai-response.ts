import { type OutboundResponse, retryAfterMs } from '@platform/outbound';
import { LlmError, type LlmReason, type SpoiltAnswer } from '../port/llm.errors';
import { type ModelAnswer } from '../port/language-model.port';

/** Maximum wait that a server can ask for (milliseconds). */
const LONGEST_WAIT_MS = 3_600_000;

/** The codes of a refusal, without its text. */
export interface Refusal {
  readonly status: number;
  /** `error.code`, `error.type` and `error.param`, as far as they are short names; otherwise empty. */
  readonly code: string;
  readonly type: string;
  readonly param: string;
  /** The server's text: searched but never shown, because it may repeat the key or the request. */
  readonly text: string;
}

/** Reads a response with status 200. @throws LlmError */
export function toAnswer(response: OutboundResponse, host: string, isJson: boolean): ModelAnswer {
  const body = response.truncated ? undefined : parseBody(response.body.toString('utf8'));
  const choice = toRecord(toList(toRecord(body)?.['choices'])?.[0]);
  const message = toRecord(choice?.['message']);
  if (!choice || !message) throw new LlmError('malformed', `${host} answered without a completion`);
  const finish = choice['finish_reason'];
  if (finish === 'content_filter' || isFilled(message['refusal'])) {
    throw new LlmError('refused', `The model at ${host} declined to answer`);
  }
  const text = message['content'];
  const counts = toRecord(toRecord(body)?.['usage']);
  const usage = {
    inputTokens: parseCount(counts?.['prompt_tokens']),
    outputTokens: parseCount(counts?.['completion_tokens']),
  };
  if (finish === 'length') {
    const answer = { text: isFilled(text) ? text : '', usage };
    throw new LlmError('truncated', `The answer of ${host} was cut off at the maximum length`, { answer });
  }
  if (!isFilled(text)) throw new LlmError('malformed', `${host} answered without a text`);
  return { text, json: isJson ? parseJsonObject({ text, usage }, host) : undefined, usage };
}

/** Models sometimes wrap JSON in a Markdown block. */
function parseJsonObject(answer: SpoiltAnswer, host: string): Record<string, unknown> {
  const { text } = answer;
  const [, fenced] = /^\s*```(?:json)?\s*\n([\s\S]*?)\n\s*```\s*$/.exec(text) ?? [];
  const json = toRecord(parseBody(fenced ?? text));
  if (!json) throw new LlmError('malformed', `${host} answered without a JSON object`, { answer });
  return json;
}

export function toOpenAiRefusal(response: OutboundResponse): Refusal {
  const text = response.body.toString('utf8');
  const body = toRecord(parseBody(text));
  const error = toRecord(body?.['error']) ?? body ?? {};
  return {
    status: response.status,
    code: getErrorName(error['code']),
    type: getErrorName(error['type']),
    param: getErrorName(error['param']),
    text: text.slice(0, 4_000).toLowerCase(),
  };
}

/** Classifies a status other than 200. */
export function toLlmError(refusal: Refusal, headers: OutboundResponse['headers'], host: string, now: Date): LlmError {
  const { status, code, type } = refusal;
  const named = [code, type].find((name) => name !== '');
  const message = `${host} answered ${status}${named ? ` (${named})` : ''}`;
  return new LlmError(getRefusalReason(refusal), message, { retryAfterMs: getRetryAfterMs(headers, now) });
}

function getRefusalReason({ status, code, type, text: message }: Refusal): LlmReason {
  const names = `${code} ${type}`;
  if (status === 402 || /insufficient_quota|billing|insufficient_balance/.test(names)) return 'quota';
  if (status === 429) return 'rate_limited';
  if (status === 401 || status === 403 || names.includes('invalid_api_key')) return 'credentials';
  if (status === 404 || names.includes('model_not_found')) return 'unconfigured';
  if (status === 413 || names.includes('context_length_exceeded') || isTooLong(status, message)) return 'too_long';
  if (/content_filter|content_policy|safety/.test(names)) return 'refused';
  if (status === 408 || status === 409 || status === 425 || status >= 500) return 'server';
  // A redirect or any other response does not come from the configured API.
  return status < 400 ? 'unconfigured' : 'rejected';
}

/** Servers of open models state it only in their text. */
function isTooLong(status: number, message: string): boolean {
  return (
    status === 400 && /(?:maximum )?context (?:length|size|window)|too many tokens|prompt is too long/.test(message)
  );
}

/** Seconds or a date (RFC 9110, 10.2.3), or the `retry-after-ms` that OpenAI adds. */
function getRetryAfterMs(headers: OutboundResponse['headers'], now: Date): number | null {
  const exact = Number(headers['retry-after-ms'] ?? NaN);
  const ms = Number.isFinite(exact)
    ? Math.max(0, Math.ceil(exact))
    : retryAfterMs(headers['retry-after'], now.toUTCString());
  return ms === null ? null : Math.min(LONGEST_WAIT_MS, ms);
}

/** Accepts only names as codes: other text may repeat secrets. */
function getErrorName(value: unknown): string {
  return typeof value === 'string' && /^[a-z][a-z0-9_.]{0,48}$/.test(value) ? value : '';
}

function parseBody(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function toRecord(value: unknown): Record<string, unknown> | undefined {
  const isRecord = typeof value === 'object' && value !== null && !Array.isArray(value);
  return isRecord ? (value as Record<string, unknown>) : undefined;
}

function toList(value: unknown): unknown[] | undefined {
  return Array.isArray(value) ? value : undefined;
}

function isFilled(value: unknown): value is string {
  return typeof value === 'string' && value.trim() !== '';
}

function parseCount(value: unknown): number {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0 ? value : 0;
}
