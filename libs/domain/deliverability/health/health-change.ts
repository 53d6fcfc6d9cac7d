import { type CheckStatus, type Problem } from '../check';
import { HEALTH_CHECKS, type HealthCheckName, type HealthStatuses } from './health-report';

type Known = Exclude<CheckStatus, 'unknown'>;

/** A check that began to fail, or ceased to. */
export interface HealthTransition {
  check: HealthCheckName;
  from: Known;
  to: Known;
  /** Codes of what it finds wrong now, the worst first. */
  problems: string[];
}

/** Codes that an event names at most. */
const NAMED = 20;
const RANK = { fail: 0, warn: 1, info: 2 } as const;

/** What is known after a check: where it could say nothing, what was known before. */
export function getSettled(before: HealthStatuses, found: HealthStatuses): HealthStatuses {
  const settled = { ...before };
  for (const check of HEALTH_CHECKS) if (found[check] !== 'unknown') settled[check] = found[check];
  return settled;
}

/**
 * Which checks began or ceased to fail. What could not be found out changes nothing, and what was not known before is no change.
 * @param before what was known (`getSettled`)
 */
export function getTransitions(
  before: HealthStatuses,
  found: HealthStatuses,
  problems: Readonly<Record<HealthCheckName, readonly Problem[]>>,
): HealthTransition[] {
  return HEALTH_CHECKS.flatMap((check) => {
    const [from, to] = [before[check], found[check]];
    if (from === 'unknown' || to === 'unknown' || (from === 'fail') === (to === 'fail')) return [];
    return [{ check, from, to, problems: listCodes(problems[check]) }];
  });
}

function listCodes(problems: readonly Problem[]): string[] {
  const worstFirst = problems
    .filter(({ severity }) => severity !== 'info')
    .toSorted((a, b) => RANK[a.severity] - RANK[b.severity]);
  return [...new Set(worstFirst.map(({ code }) => code))].slice(0, NAMED);
}
