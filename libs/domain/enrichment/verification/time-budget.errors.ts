/** The abort reason when the time ran out, as opposed to an abort by the caller. */
export class TimeBudgetExceededError extends Error {
  override readonly name = 'TimeBudgetExceededError';
}
