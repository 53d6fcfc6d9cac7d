import { AppError } from '@platform/errors';
import { type ModelCost } from './model-question';

/** Beside the errors and not in them: what models wrote of strangers' mail shows in no log. */
const spentBefore = new WeakMap<AppError, ModelCost>();

/** Notes what was paid for before this failure, which is the question's own. */
export function attachCost(failure: AppError, spent: ModelCost): void {
  if (spent.unused.length > 0) spentBefore.set(failure, spent);
}

/** What was spent on answers of no use before this failure; null when there was none. */
export function findWastedCost(failure: unknown): ModelCost | null {
  return failure instanceof AppError ? (spentBefore.get(failure) ?? null) : null;
}
