import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { type AddressInfo } from 'node:net';
import { type LlmReason } from '../port/llm.errors';

/** Body of a request, as documented. */
export interface AskedBody {
  readonly model: string;
  readonly messages: readonly { readonly role: string; readonly content: string }[];
  readonly max_tokens?: number;
  readonly max_completion_tokens?: number;
  readonly temperature?: number;
  readonly response_format?: { readonly type: string };
}

export interface ScriptedAnswer {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body: unknown;
}

/** `silence`: no response; `cut`: the beginning of a response, then silence. */
type Scripted = ScriptedAnswer | 'silence' | 'cut';
/** A response computed from the request; it may be delayed. */
type Decided = (asked: AskedBody) => Scripted | Promise<Scripted>;

/** Unsupported features, as of newer OpenAI models and many servers of open models. */
export interface Limits {
  readonly max_tokens?: boolean;
  readonly temperature?: boolean;
  readonly json_schema?: boolean;
  readonly json_object?: boolean;
}

/** Chat completions of the documented HTTP API on 127.0.0.1, including errors and rate limits. */
export class ModelServer {
  readonly asked: AskedBody[] = [];
  readonly keys: (string | undefined)[] = [];
  refuses: Limits = {};
  /** The answer without a script. */
  otherwise: Scripted | Decided = completion('{}');
  readonly #script: Scripted[] = [];

  private constructor(
    private readonly server: Server,
    private readonly key: string,
  ) {}

  /** @param key the required key; empty for none */
  static async start(key = 'sk-canary-key'): Promise<ModelServer> {
    const server = createServer();
    const models = new ModelServer(server, key);
    server.on('request', (request, response) => void models.#answer(request, response));
    await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
    return models;
  }

  get baseUrl(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}/v1`;
  }

  next(...answers: Scripted[]): void {
    this.#script.push(...answers);
  }

  close(): Promise<void> {
    return new Promise((done) => {
      this.server.close(() => done());
      this.server.closeAllConnections();
    });
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk);
    const answer = await this.#answerTo(request, Buffer.concat(chunks).toString('utf8'));
    if (answer === 'silence') return;
    if (answer === 'cut') {
      response.writeHead(200, { 'content-type': 'application/json', 'content-length': '1000' });
      response.write('{"choices":[{"message":{"content":', () => response.destroy());
      return;
    }
    response.writeHead(answer.status, { 'content-type': 'application/json', ...answer.headers });
    response.end(typeof answer.body === 'string' ? answer.body : JSON.stringify(answer.body));
  }

  #answerTo(request: IncomingMessage, text: string): Scripted | Promise<Scripted> {
    if (request.method !== 'POST' || request.url !== '/v1/chat/completions') {
      return failure(404, { message: `Invalid URL (${request.method} ${request.url})`, type: 'invalid_request_error' });
    }
    this.keys.push(request.headers.authorization);
    if (this.key !== '' && request.headers.authorization !== `Bearer ${this.key}`) return FAILURES.credentials();
    const asked = JSON.parse(text) as AskedBody;
    const refused = this.#misunderstood(asked);
    if (refused) return refused;
    this.asked.push(asked);
    const { otherwise } = this;
    return this.#script.shift() ?? (typeof otherwise === 'function' ? otherwise(asked) : otherwise);
  }

  #misunderstood(asked: AskedBody): ScriptedAnswer | null {
    const { max_tokens, temperature, json_schema, json_object } = this.refuses;
    if (max_tokens && asked.max_tokens !== undefined) {
      const message =
        "Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead.";
      return failure(400, {
        message,
        type: 'invalid_request_error',
        param: 'max_tokens',
        code: 'unsupported_parameter',
      });
    }
    if (temperature && asked.temperature !== undefined) {
      const message = "Unsupported value: 'temperature' does not support 0 with this model.";
      return failure(400, { message, type: 'invalid_request_error', param: 'temperature', code: 'unsupported_value' });
    }
    const format = asked.response_format?.type;
    if ((json_schema && format === 'json_schema') || (json_object && format === 'json_object')) {
      return failure(400, {
        message: `'response_format.type' of '${format}' is not supported`,
        param: 'response_format',
      });
    }
    return null;
  }
}

/** A response with status 200. */
export function completion(content: string | null, choice: object = {}, message: object = {}): ScriptedAnswer {
  return {
    status: 200,
    body: {
      id: 'chatcmpl-1',
      object: 'chat.completion',
      created: 1_790_000_000,
      model: 'test-model-2026-01-01',
      choices: [
        {
          index: 0,
          message: { role: 'assistant', content, refusal: null, ...message },
          finish_reason: 'stop',
          ...choice,
        },
      ],
      usage: { prompt_tokens: 31, completion_tokens: 5, total_tokens: 36 },
    },
  };
}

export function failure(status: number, error: object, headers: Record<string, string> = {}): ScriptedAnswer {
  return { status, headers, body: { error: { param: null, code: null, ...error } } };
}

/** As documented for the API. */
export const FAILURES: Record<
  Exclude<LlmReason, 'timeout' | 'unreachable'>,
  (headers?: Record<string, string>) => ScriptedAnswer
> = {
  rate_limited: (headers = {}) =>
    failure(429, { message: 'Rate limit reached', type: 'requests', code: 'rate_limit_exceeded' }, headers),
  quota: () =>
    failure(429, {
      message: 'You exceeded your current quota',
      type: 'insufficient_quota',
      code: 'insufficient_quota',
    }),
  server: () => failure(503, { message: 'The engine is currently overloaded', type: 'server_error' }),
  credentials: () =>
    failure(401, {
      message: 'Incorrect API key provided: sk-canary-key.',
      type: 'invalid_request_error',
      code: 'invalid_api_key',
    }),
  unconfigured: () =>
    failure(404, { message: 'The model `x` does not exist', type: 'invalid_request_error', code: 'model_not_found' }),
  too_long: () =>
    failure(400, {
      message: "This model's maximum context length is 8192 tokens.",
      type: 'invalid_request_error',
      param: 'messages',
      code: 'context_length_exceeded',
    }),
  refused: () => completion(null, {}, { refusal: 'I cannot help with that.' }),
  truncated: () => completion('{"word":"y', { finish_reason: 'length' }),
  malformed: () => completion('no JSON'),
  rejected: () => failure(400, { message: 'Invalid role', type: 'invalid_request_error', param: 'messages[0].role' }),
};
