import { type ModelUsage } from '@adapters/llm';

const MILLION = 1_000_000;
/** Finer than any price for one token. */
const PARTS = 1_000_000_000;

/** Prices for a million tokens, in the operator's currency. */
export interface ModelPrices {
  readonly input: number;
  readonly output: number;
}

/** What an answer cost, in the currency of the prices, to a billionth of it. */
export function costOf({ inputTokens, outputTokens }: ModelUsage, { input, output }: ModelPrices): number {
  return Math.round(((inputTokens * input + outputTokens * output) / MILLION) * PARTS) / PARTS;
}

/**
 * Tokens that a text has at most, roughly: tokenizers make one of about four bytes of English, and of two or three bytes of
 * other scripts.
 */
export function estimatedTokens(text: string): number {
  return Math.ceil(Buffer.byteLength(text) / 2.5);
}

export function sumOf(one: ModelUsage, other: ModelUsage): ModelUsage {
  return {
    inputTokens: one.inputTokens + other.inputTokens,
    outputTokens: one.outputTokens + other.outputTokens,
  };
}
