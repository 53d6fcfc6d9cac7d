import { CrmError } from '../port/crm.errors';
import { toChunks } from './request-chunks';
import { UnconfirmedWriteError } from './unconfirmed-write.errors';

/**
 * The outcome of a batch: a result for each item, and `again` for items to retry without the others. `refused`: the vendor rejects all and
 * does not name the invalid item, so each half is tried separately.
 */
export type BatchOutcome<R> = readonly (R | 'again')[] | 'refused';

/**
 * Writes batches to a vendor that refuses a whole batch for one invalid item. One invalid item among a hundred costs some fourteen
 * more requests. After a failure no request is started: completed items have their results, the others `lost`; without completed
 * items the failure is thrown.
 * @param batches all items, in batches
 * @param attempt returns `refused` for several items only
 */
export async function writeDivided<T, R>(
  items: readonly T[],
  batches: readonly (readonly T[])[],
  attempt: (batch: readonly T[]) => Promise<BatchOutcome<R>>,
  toUnknownResult: (item: T, message: string) => R,
): Promise<R[]> {
  const results = new Map<T, R>();
  const waiting = [...batches];
  let failure: CrmError | null = null;
  for (let batch = waiting.shift(); batch !== undefined && failure === null; batch = waiting.shift()) {
    try {
      waiting.unshift(...settleBatch(batch, await attempt(batch), results));
    } catch (error) {
      if (!(error instanceof CrmError)) throw error;
      if (error instanceof UnconfirmedWriteError)
        for (const item of batch) results.set(item, toUnknownResult(item, error.message));
      failure = error;
    }
  }
  if (failure !== null && results.size === 0) throw failure;
  return items.map((item) => results.get(item) ?? toUnknownResult(item, failure?.message ?? ''));
}

/** Stores the results of a batch and returns the batches to send next. */
function settleBatch<T, R>(batch: readonly T[], outcome: BatchOutcome<R>, results: Map<T, R>): (readonly T[])[] {
  if (outcome === 'refused') return toChunks(batch, Math.ceil(batch.length / 2));
  const again: T[] = [];
  for (const [at, item] of batch.entries()) {
    const result = outcome[at];
    if (result === 'again' || result === undefined) again.push(item);
    else results.set(item, result);
  }
  return again.length === 0 ? [] : [again];
}
