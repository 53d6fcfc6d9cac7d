import { type ErrorCode } from './error-code';

/** One offending field of a request, in dot notation. */
export interface ErrorDetail {
  readonly field: string;
  readonly message: string;
}

/** The error that domain code throws: a declared code, a message for the caller, and optionally the cause. */
export class AppError extends Error {
  override readonly name = 'AppError';
  readonly details: readonly ErrorDetail[] | undefined;

  constructor(
    readonly type: ErrorCode,
    message: string,
    options: { details?: readonly ErrorDetail[]; cause?: unknown } = {},
  ) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.details = options.details;
  }

  get code(): string {
    return this.type.code;
  }
}
