import pLimit from 'p-limit';

/** Processes all items with limited concurrency and returns the results in their order. After a failure no item is started. */
export async function mapInParallel<T, R>(
  items: readonly T[],
  atOnce: number,
  work: (item: T) => Promise<R>,
): Promise<R[]> {
  const limit = pLimit(atOnce);
  const untilFailure = async (item: T): Promise<R> => {
    try {
      return await work(item);
    } catch (error) {
      limit.clearQueue();
      throw error;
    }
  };
  return Promise.all(items.map((item) => limit(untilFailure, item)));
}
