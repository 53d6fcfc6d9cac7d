/** The lease has expired, or another worker holds it: nothing was written, and the next holder continues the work. */
export class LeaseLostError extends Error {
  override readonly name: string = 'LeaseLostError';

  constructor(message = 'The lease has expired') {
    super(message);
  }
}
