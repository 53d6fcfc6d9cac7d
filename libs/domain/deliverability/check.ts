import type { DnsAnswer, DnsFailure } from '@adapters/dns';

export const CHECK_STATUSES = ['pass', 'warn', 'fail', 'unknown'] as const;

/** `unknown`: the check got no answer (for example, the resolver failed); it says nothing about the domain. */
export type CheckStatus = (typeof CHECK_STATUSES)[number];

/** `info`: worth knowing, without disadvantage. */
export type Severity = 'info' | 'warn' | 'fail';

/** One finding of a check. */
export interface Problem {
  /** Stable code in snake case, for programs. */
  readonly code: string;
  readonly severity: Severity;
  /** Description and remedy, for people. */
  readonly message: string;
}

/** Result of a check; checks add the records that they read. */
export interface Check {
  readonly status: CheckStatus;
  readonly problems: readonly Problem[];
}

export const failing = (code: string, message: string): Problem => ({ code, severity: 'fail', message });
export const warning = (code: string, message: string): Problem => ({ code, severity: 'warn', message });
export const noting = (code: string, message: string): Problem => ({ code, severity: 'info', message });

/** Returns the status of the most severe problem; `pass` when none is worse than `info`. Never `unknown`. */
export function getCheckStatus(problems: readonly Problem[]): 'pass' | 'warn' | 'fail' {
  if (problems.some(({ severity }) => severity === 'fail')) return 'fail';
  return problems.some(({ severity }) => severity === 'warn') ? 'warn' : 'pass';
}

/** Whether the query stayed open: neither records nor a reliable negative answer. */
export function isFailure<T>(answer: DnsAnswer<T>): answer is DnsFailure {
  return answer.kind !== 'records' && answer.kind !== 'nxdomain' && answer.kind !== 'nodata';
}

/** Records of an answer; none for a negative answer or a failure. */
export function toDnsRecords<T>(answer: DnsAnswer<T>): readonly T[] {
  return answer.kind === 'records' ? answer.records : [];
}

/** Problem of a query without an answer. Its check becomes `unknown`. */
export function toUnansweredProblem(name: string, failure: DnsFailure): Problem {
  const message = `DNS gave no answer for ${name} (${failure.kind}: ${failure.message}). The next check retries it; if this persists, check the name servers of the domain.`;
  return noting('dns_no_answer', message);
}
