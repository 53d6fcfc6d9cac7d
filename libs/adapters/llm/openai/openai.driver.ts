import { OutboundError, type OutboundHttpClient, type OutboundResponse } from '@platform/outbound';
import { LanguageModelPort, type ModelAnswer, type ModelRequest } from '../port/language-model.port';
import { LlmError } from '../port/llm.errors';
import { toAnswer, toLlmError, toOpenAiRefusal } from './openai-response';
import { adaptDialect, toCompletionBody, type Dialect, FIRST_DIALECT } from './openai-dialect';

export interface OpenAiOptions {
  /** The URL without `/chat/completions`. */
  readonly baseUrl: string;
  /** Empty when the server requires none. */
  readonly apiKey: string;
  /** Empty: no request is sent. */
  readonly model: string;
  /** Timeout of one answer in milliseconds. */
  readonly timeoutMs: number;
}

const MAX_ANSWER_BYTES = 1024 * 1024;
/** Features that a server may not support, tried one after the other. */
const MAX_ADAPTATIONS = 4;

/** A model by the HTTP API of OpenAI (chat completions), which most vendors and servers of open models support. */
export class OpenAiDriver extends LanguageModelPort {
  readonly #url: string;
  readonly #host: string;
  /** The features that this server was found to support. */
  #dialect: Dialect = FIRST_DIALECT;

  constructor(
    private readonly http: OutboundHttpClient,
    private readonly options: OpenAiOptions,
    private readonly now: () => Date,
  ) {
    super();
    this.#url = `${options.baseUrl.replace(/\/+$/, '')}/chat/completions`;
    this.#host = new URL(this.#url).host;
  }

  override get isConfigured(): boolean {
    return this.options.model !== '';
  }

  override get name(): string {
    return this.options.model;
  }

  override async complete(request: ModelRequest): Promise<ModelAnswer> {
    if (!this.isConfigured) throw new LlmError('unconfigured', 'No language model is configured (LLM_MODEL)');
    const endsAt = this.now().getTime() + this.options.timeoutMs;
    for (let dialect = this.#dialect, adaptations = 0; ; adaptations += 1) {
      const response = await this.#post(toCompletionBody(this.options.model, request, dialect), endsAt, request.signal);
      if (response.status === 200) {
        this.#dialect = dialect;
        return toAnswer(response, this.#host, request.schema !== undefined);
      }
      const refusal = toOpenAiRefusal(response);
      const other = adaptations < MAX_ADAPTATIONS ? adaptDialect(dialect, refusal) : null;
      if (!other) throw toLlmError(refusal, response.headers, this.#host, this.now());
      dialect = other;
    }
  }

  async #post(body: string, endsAt: number, signal?: AbortSignal): Promise<OutboundResponse> {
    const { apiKey } = this.options;
    try {
      return await this.http.request({
        url: this.#url,
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          accept: 'application/json',
          ...(apiKey !== '' && { authorization: `Bearer ${apiKey}` }),
        },
        body,
        timeoutMs: Math.max(1, endsAt - this.now().getTime()),
        maxResponseBytes: MAX_ANSWER_BYTES,
        ...(signal && { signal }),
      });
    } catch (error) {
      throw error instanceof OutboundError ? toExchangeError(error, this.#host) : error;
    }
  }
}

function toExchangeError(error: OutboundError, host: string): LlmError {
  if (error.reason === 'timeout') return new LlmError('timeout', `${host} did not answer in time`, { cause: error });
  const reason = error.retry ? 'unreachable' : 'unconfigured';
  return new LlmError(reason, error.message, { cause: error });
}
