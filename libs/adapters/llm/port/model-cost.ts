import { type ModelUsage } from './language-model.port';

const MILLION = 1_000_000;
/** Finer than any price for one token. */
const PARTS = 1_000_000_000;

/** Prices per million tokens, in the operator's currency. */
export interface ModelPrices {
  readonly input: number;
  readonly output: number;
}

/** The cost of an answer in the currency of the prices, rounded to a billionth. */
export function getCost({ inputTokens, outputTokens }: ModelUsage, { input, output }: ModelPrices): number {
  return Math.round(((inputTokens * input + outputTokens * output) / MILLION) * PARTS) / PARTS;
}
