/** No item of the job can be processed; `message` explains why. */
export class WorkImpossibleError extends Error {
  override readonly name = 'WorkImpossibleError';

  constructor(
    /** Machine-readable reason, e.g. `TOOL_NOT_CONFIGURED`. */
    readonly code: string,
    message: string,
  ) {
    super(message);
  }
}
