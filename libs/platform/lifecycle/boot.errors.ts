/** A process refuses to start, and its message says all that the operator needs: it is shown without a stack. */
export class BootError extends Error {
  override readonly name = 'BootError';
}
