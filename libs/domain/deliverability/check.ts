import type { DnsAnswer, DnsFailure } from '@adapters/dns';

export const CHECK_STATUSES = ['pass', 'warn', 'fail', 'unknown'] as const;

/** `unknown`: the question could not be answered (the resolver failed, say); it says nothing about the domain. */
export type CheckStatus = (typeof CHECK_STATUSES)[number];

/** `info`: worth knowing, nothing is lost by it. */
export type Severity = 'info' | 'warn' | 'fail';

/** One thing that a check found. */
export interface Problem {
  /** What it is, for programs: snake case, and what it means never changes. */
  readonly code: string;
  readonly severity: Severity;
  /** What it is and what to change, for a person. */
  readonly message: string;
}

/** What a check of a domain found; checks add the records that they read. */
export interface Check {
  readonly status: CheckStatus;
  readonly problems: readonly Problem[];
}

export const failing = (code: string, message: string): Problem => ({ code, severity: 'fail', message });
export const warning = (code: string, message: string): Problem => ({ code, severity: 'warn', message });
export const noting = (code: string, message: string): Problem => ({ code, severity: 'info', message });

/** What the problems come to: the status of the worst of them, and `pass` when none is worse than `info`. Never `unknown`. */
export function getStatus(problems: readonly Problem[]): 'pass' | 'warn' | 'fail' {
  if (problems.some(({ severity }) => severity === 'fail')) return 'fail';
  return problems.some(({ severity }) => severity === 'warn') ? 'warn' : 'pass';
}

/** Whether the question stayed open: neither records nor a reliable no. */
export function isFailure<T>(answer: DnsAnswer<T>): answer is DnsFailure {
  return answer.kind !== 'records' && answer.kind !== 'nxdomain' && answer.kind !== 'nodata';
}

/** The records of an answer; none when it says no or is a failure. */
export function toRecords<T>(answer: DnsAnswer<T>): readonly T[] {
  return answer.kind === 'records' ? answer.records : [];
}

/** That nothing is known because the resolver gave no answer. The check that needed it is `unknown`. */
export function toUnansweredProblem(name: string, failure: DnsFailure): Problem {
  const message = `DNS gave no answer for ${name} (${failure.kind}: ${failure.message}). It is asked again with the next check; if this stays, look at the name servers of the domain.`;
  return noting('dns_no_answer', message);
}
