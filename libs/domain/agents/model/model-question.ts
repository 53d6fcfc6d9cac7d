import { type ModelUsage } from '@adapters/llm';
import { type TextPurpose, type UnusedAnswer } from '../schemas/agent-text.record';

/** A question to the language model. */
export interface ModelQuestion {
  readonly purpose: TextPurpose;
  /** Version of the prompt, stored with the text. */
  readonly promptVersion: string;
  /** Written by us only. */
  readonly system: string;
  /** The content to process; may contain text of strangers. */
  readonly user: string;
  /** The answer is a JSON object of this schema, limited to what `matchesSchema` supports. */
  readonly schema: { readonly name: string; readonly schema: Readonly<Record<string, unknown>> };
  /** Of the answer. */
  readonly maxTokens: number;
  readonly signal?: AbortSignal;
}

/** The cost of an answer. */
export interface ModelCost {
  readonly model: string;
  readonly promptVersion: string;
  /** Sum over all attempts that reported their usage. */
  readonly usage: ModelUsage;
  /** In the currency of the operator's prices (LLM_INPUT_PRICE, LLM_OUTPUT_PRICE). */
  readonly cost: number;
  /** Unusable answers; the server charges for them, too. */
  readonly unused: readonly UnusedAnswer[];
}

/** The value of an answer, or its fault. */
export type Checked<T> = { readonly value: T } | { readonly fault: string };

/** A checked answer with its cost. */
export interface ModelResult<T> extends ModelCost {
  readonly value: T;
}
