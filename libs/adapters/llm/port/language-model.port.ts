/** What is asked. */
export interface ModelRequest {
  /** The instructions for the model: text of the platform only, no text of other people. */
  readonly system: string;
  /** The text to process. It may contain untrusted text. */
  readonly user: string;
  /** JSON schema of the answer, an object: then it is given parsed as well. Whether it keeps to the schema, the caller checks. */
  readonly schema?: AnswerSchema;
  /** Most tokens that the answer may have. */
  readonly maxTokens: number;
  /** Ends the call early: it then fails with the signal's reason. */
  readonly signal?: AbortSignal;
}

export interface AnswerSchema {
  /** Letters, digits, `_` and `-`, at most 64. */
  readonly name: string;
  readonly schema: Readonly<Record<string, unknown>>;
}

/** What it cost; 0 where the server does not say. */
export interface ModelUsage {
  readonly inputTokens: number;
  readonly outputTokens: number;
}

export interface ModelAnswer {
  readonly text: string;
  /** The answer parsed, when a schema was given; otherwise undefined. */
  readonly json: unknown;
  readonly usage: ModelUsage;
}

/** A language model that this installation may ask. */
export abstract class LanguageModelPort {
  /** Whether the operator has named a model; without one every question fails. */
  abstract get isConfigured(): boolean;

  /** Name of the model, as the operator gave it. */
  abstract get name(): string;

  /**
   * Asks once; nothing is tried again here.
   * @throws LlmError when there is no (complete) answer
   * @throws the reason of the request's signal, when that ended the call
   */
  abstract complete(request: ModelRequest): Promise<ModelAnswer>;
}
