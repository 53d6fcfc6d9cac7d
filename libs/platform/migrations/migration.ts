import { type mongo } from 'mongoose';

/**
 * One step from what an earlier release stored to what this one expects. It works on raw collections, because the record
 * classes of today say nothing about the shapes of then. It goes forward only: the way back is a backup.
 *
 * It is idempotent by the data: `run` looks for what is left to do, so that it can be stopped anywhere and run again, also
 * after it has been noted as done.
 */
export interface Migration {
  /** `0001-what-it-does`: the number gives the order and is never used twice. */
  readonly name: string;
  /** What it changes, and why nothing less will do; for the operator. */
  readonly why: string;
  /** Whether this release cannot work before it. What is not required may be run while the platform works. */
  readonly isRequired: boolean;
  /** How much is left to do: documents, or indexes. 0 when it has nothing to do. */
  left(database: mongo.Db): Promise<number>;
  /**
   * Does it in batches, each of which is over within a second, so that nobody else waits for it.
   * @param signal aborted when it is to stop: at its next batch, with `throwIfAborted`
   * @returns how much was done
   */
  run(database: mongo.Db, signal: AbortSignal): Promise<number>;
}
