import { LanguageModelPort, type ModelAnswer, type ModelRequest } from '../port/language-model.port';
import { LlmError, type LlmReason } from '../port/llm.errors';

/** The scripted outcome of the next request. */
export type Scripted =
  | { readonly text: string }
  | { readonly fails: LlmReason; readonly retryAfterMs?: number }
  /** No response until the caller aborts. */
  | 'silence';

/** A model that returns scripted answers and records its requests. */
export class FakeModelDriver extends LanguageModelPort {
  readonly requests: ModelRequest[] = [];
  readonly #script: Scripted[] = [];
  /** The answer without a script. */
  otherwise: Scripted = { text: '{}' };

  override get isConfigured(): boolean {
    return true;
  }

  override get name(): string {
    return 'fake-1';
  }

  next(...scripted: Scripted[]): void {
    this.#script.push(...scripted);
  }

  /** Removes all scripts and recorded requests. */
  reset(): void {
    this.requests.length = 0;
    this.#script.length = 0;
    this.otherwise = { text: '{}' };
  }

  override async complete(request: ModelRequest): Promise<ModelAnswer> {
    request.signal?.throwIfAborted();
    this.requests.push(request);
    const scripted = this.#script.shift() ?? this.otherwise;
    if (scripted === 'silence') return waitForAbort(request.signal);
    if ('fails' in scripted) {
      throw new LlmError(scripted.fails, `The fake fails: ${scripted.fails}`, {
        retryAfterMs: scripted.retryAfterMs ?? null,
      });
    }
    const { text } = scripted;
    if (text.length > request.maxTokens * 4) throw new LlmError('truncated', 'The fake was cut off');
    const usage = { inputTokens: request.user.length, outputTokens: text.length };
    return { text, json: request.schema ? parseAnswer(text) : undefined, usage };
  }
}

function parseAnswer(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new LlmError('malformed', 'The fake answered without a JSON object', { cause });
  }
}

function waitForAbort(signal?: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    signal?.addEventListener('abort', () => reject(signal.reason as Error), { once: true });
  });
}
