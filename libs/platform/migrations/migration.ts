import { type mongo } from 'mongoose';

/**
 * One step from the data of an earlier release to the data of this one. It works on raw collections, because the record
 * classes describe the current schema only. It cannot be reverted, except by restoring a backup.
 *
 * It is idempotent: `run` finds the remaining work in the data, so that it can be interrupted anywhere and repeated, even after
 * it has been marked as applied.
 */
export interface Migration {
  /** `0001-what-it-does`: the number gives the order and is unique. */
  readonly name: string;
  /** What the migration changes, and why it is needed; for the operator. */
  readonly why: string;
  /** Whether this release requires it before the start. Other migrations may run while the platform runs. */
  readonly isRequired: boolean;
  /** Number of documents or indexes that remain to be changed. */
  left(database: mongo.Db): Promise<number>;
  /**
   * Changes the data in batches of less than a second, so that other writers do not wait.
   * @param signal stops the migration before its next batch by `throwIfAborted`
   * @returns the number of changes
   */
  run(database: mongo.Db, signal: AbortSignal): Promise<number>;
}
