import { type ModelUsage } from '@adapters/llm';
import { type TextPurpose, type UnusedAnswer } from '../schemas/agent-text.record';

/** A question to the language model. */
export interface ModelQuestion {
  readonly purpose: TextPurpose;
  /** Which of our prompts this is: kept with the text. */
  readonly promptVersion: string;
  /** Ours, and nobody else's words. */
  readonly system: string;
  /** What it is to work on: strangers' words as well. */
  readonly user: string;
  /** The answer is a JSON object of this schema; only the parts of the language that `matchesSchema` knows. */
  readonly schema: { readonly name: string; readonly schema: Readonly<Record<string, unknown>> };
  /** Of the answer. */
  readonly maxTokens: number;
  readonly signal?: AbortSignal;
}

/** What it took to get something said. */
export interface ModelCost {
  readonly model: string;
  readonly promptVersion: string;
  /** Of all attempts that said what they cost. */
  readonly usage: ModelUsage;
  /** In the currency of the operator's prices (LLM_INPUT_PRICE, LLM_OUTPUT_PRICE). */
  readonly cost: number;
  /** Answers that were of no use: at the server, they were written all the same. */
  readonly unused: readonly UnusedAnswer[];
}

/** What an answer means, or why it is of no use. */
export type Checked<T> = { readonly value: T } | { readonly fault: string };

/** What the model said, checked. */
export interface ModelResult<T> extends ModelCost {
  readonly value: T;
}
