/** Finds in MongoDB what should have a job and gives it one again: Redis may be emptied at any time. */
export interface Sweep {
  readonly name: string;
  /** Number of jobs that were missing and have been created. */
  sweep(): Promise<number>;
}
