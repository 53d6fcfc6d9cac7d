import { Batcher } from '@platform/concurrency';
import { type Types } from 'mongoose';

/** Maximum size of a batch; larger than the number of concurrent runs of a worker. */
const MOST = 100;

/** How long those that come first wait for the others at most, where there were others the last time. */
export const BATCH_WINDOW_MS = 25;

/** Workspaces whose batchers are kept although nobody asks for anything: they know whether company is to be expected. */
const MAX_WORKSPACES = 100;

/** A batcher for each workspace that something is asked for: a query is always about one workspace. */
export class WorkspaceBatcher<T, R> {
  readonly #batchers = new Map<string, { batcher: Batcher<T, R>; users: number }>();

  /** @param waitsMs how long a batch waits for company at most: 0 where all come together anyway */
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
