import { Batcher } from '@platform/concurrency';
import { type Types } from 'mongoose';

/** Maximum size of a batch; larger than the number of concurrent runs of a worker. */
const MOST = 100;

/** Maximum wait of the first callers for others, if the last batch had others. */
export const BATCH_WINDOW_MS = 25;

/** Maximum number of idle workspaces whose batchers are kept: a batcher knows whether to expect several callers. */
const MAX_WORKSPACES = 100;

/** One batcher for each workspace with requests: a query always concerns one workspace. */
export class WorkspaceBatcher<T, R> {
  readonly #batchers = new Map<string, { batcher: Batcher<T, R>; users: number }>();

  /** @param waitsMs how long a batch waits for further callers at most; 0 if all ask at the same time anyway */
  constructor(
    private readonly work: (workspaceId: Types.ObjectId, items: readonly T[]) => Promise<readonly R[]>,
    private readonly waitsMs: number,
  ) {}

  async run(workspaceId: Types.ObjectId, item: T): Promise<R> {
    const key = workspaceId.toHexString();
    const known = this.#batchers.get(key) ?? {
      batcher: new Batcher<T, R>((items) => this.work(workspaceId, items), MOST, this.waitsMs),
      users: 0,
    };
    this.#batchers.set(key, known);
    known.users += 1;
    try {
      return await known.batcher.run(item);
    } finally {
      known.users -= 1;
      if (known.users === 0 && this.#batchers.size > MAX_WORKSPACES) this.#batchers.delete(key);
    }
  }
}
