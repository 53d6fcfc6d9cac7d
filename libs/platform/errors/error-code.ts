/** The kind of an error from the caller's point of view. The API maps each kind to one HTTP status. */
export type ErrorKind =
  | 'invalid'
  | 'unauthenticated'
  | 'payment'
  | 'forbidden'
  | 'not-found'
  | 'conflict'
  | 'unprocessable'
  | 'upstream'
  | 'unavailable';

/** Whether a failure is retried: this alone decides about retries of a job. */
export type FailureKind = 'temporary' | 'permanent' | 'needs-human' | 'ambiguous';

export interface ErrorCode {
  /** Stable name for clients. */
  readonly code: string;
  readonly kind: ErrorKind;
  readonly failure: FailureKind;
  /** One sentence for docs/reference/errors.md. */
  readonly meaning: string;
}

const registry = new Map<string, ErrorCode>();

/** Declares an error code. docs/reference/errors.md is generated from all declared codes. */
export function defineError(
  code: string,
  kind: ErrorKind,
  meaning: string,
  failure: FailureKind = kind === 'unavailable' || kind === 'upstream' ? 'temporary' : 'permanent',
): ErrorCode {
  if (registry.has(code)) throw new Error(`Error code ${code} is declared twice`);
  const declared = Object.freeze({ code, kind, failure, meaning });
  registry.set(code, declared);
  return declared;
}

/** Every declared code, by name. */
export function errorCodes(): ErrorCode[] {
  return [...registry.values()].sort((a, b) => a.code.localeCompare(b.code));
}
