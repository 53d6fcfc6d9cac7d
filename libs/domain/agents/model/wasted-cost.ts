import { AppError } from '@platform/errors';
import { type ModelCost } from './model-question';

/** Beside the errors instead of in them, so that no log contains what models wrote about strangers' mail. */
const spentBefore = new WeakMap<AppError, ModelCost>();

/** Attaches the cost of earlier answers to the failure of a question. */
export function attachCost(failure: AppError, spent: ModelCost): void {
  if (spent.unused.length > 0) spentBefore.set(failure, spent);
}

/** The cost of unusable answers before this failure; null without any. */
export function findWastedCost(failure: unknown): ModelCost | null {
  return failure instanceof AppError ? (spentBefore.get(failure) ?? null) : null;
}
