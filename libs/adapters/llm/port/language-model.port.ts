/** A request to a model. */
export interface ModelRequest {
  /** The instructions for the model: text of the platform only, no text of other people. */
  readonly system: string;
  /** The text to process. It may contain untrusted text. */
  readonly user: string;
  /** JSON schema of the answer, an object: the answer is then also returned parsed. The caller validates it. */
  readonly schema?: AnswerSchema;
  /** Maximum tokens of the answer. */
  readonly maxTokens: number;
  /** Ends the call early: it then fails with the signal's reason. */
  readonly signal?: AbortSignal;
}

export interface AnswerSchema {
  /** Letters, digits, `_` and `-`, at most 64. */
  readonly name: string;
  readonly schema: Readonly<Record<string, unknown>>;
}

/** Used tokens; 0 when the server does not report them. */
export interface ModelUsage {
  readonly inputTokens: number;
  readonly outputTokens: number;
}

export interface ModelAnswer {
  readonly text: string;
  /** The parsed answer when a schema was given; otherwise undefined. */
  readonly json: unknown;
  readonly usage: ModelUsage;
}

/** A language model of this installation. */
export abstract class LanguageModelPort {
  /** Whether the operator has configured a model; without one every request fails. */
  abstract get isConfigured(): boolean;

  /** Name of the model, as configured. */
  abstract get name(): string;

  /**
   * Sends one request without retries.
   * @throws LlmError when there is no (complete) answer
   * @throws the reason of the request's signal, when that ended the call
   */
  abstract complete(request: ModelRequest): Promise<ModelAnswer>;
}
