/** The current time. Domain code reads it from here only, so that tests can set it. */
export abstract class ClockPort {
  abstract now(): Date;

  /** The time in `milliseconds` from now; negative values lie in the past. */
  in(milliseconds: number): Date {
    return new Date(this.now().getTime() + milliseconds);
  }
}
