import { type ModelUsage } from '@adapters/llm';

/**
 * Tokens that a text has at most, roughly: tokenizers make one of about four bytes of English, and of two or three bytes of
 * other scripts.
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
