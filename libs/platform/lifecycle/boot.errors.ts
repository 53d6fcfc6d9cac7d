/** A process refuses to start. The message is complete for the operator and is printed without a stack trace. */
export class BootError extends Error {
  override readonly name = 'BootError';
}
