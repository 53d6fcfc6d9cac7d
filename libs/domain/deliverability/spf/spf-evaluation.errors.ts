/** Reason of a missing verdict, or of "none". */
export type SpfProblemCode =
  | 'malformed_domain'
  | 'no_record'
  | 'multiple_records'
  | 'syntax_error'
  | 'too_many_lookups'
  | 'too_many_void_lookups'
  | 'too_many_mx_hosts'
  | 'include_without_record'
  | 'redirect_without_record'
  | 'dns_no_answer';

/** An error that ends an evaluation. */
export interface SpfProblem {
  readonly code: SpfProblemCode;
  /** Text for people. */
  readonly message: string;
}

/**
 * Ends an evaluation with an error, through all includes and redirects (RFC 7208, sections 4.6 and 5.2). Never leaves this
 * folder.
 */
export class SpfEvaluationError extends Error {
  constructor(
    readonly result: 'permerror' | 'temperror',
    readonly code: SpfProblemCode,
    message: string,
  ) {
    super(message);
  }
}
