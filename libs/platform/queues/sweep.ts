/** Finds due work without a job in MongoDB and adds the job again, because Redis may lose jobs at any time. */
export interface Sweep {
  readonly name: string;
  /** Adds the missing jobs and returns their number. */
  sweep(): Promise<number>;
}
