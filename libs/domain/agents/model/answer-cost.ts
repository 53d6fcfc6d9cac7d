import { type ModelUsage } from '@adapters/llm';

/**
 * A rough upper bound of the tokens of a text: tokenizers take some four bytes of English per token, and two or three
 * of other scripts.
 */
export function estimateTokens(text: string): number {
  return Math.ceil(Buffer.byteLength(text) / 2.5);
}

export function addUsage(one: ModelUsage, other: ModelUsage): ModelUsage {
  return {
    inputTokens: one.inputTokens + other.inputTokens,
    outputTokens: one.outputTokens + other.outputTokens,
  };
}
