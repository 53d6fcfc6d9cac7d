import { type CheckStatus, type Problem } from '../check';
import { HEALTH_CHECKS, type HealthCheckName, type HealthStatuses } from './health-report';

type Known = Exclude<CheckStatus, 'unknown'>;

/** A check that began or ceased to fail. */
export interface HealthTransition {
  check: HealthCheckName;
  from: Known;
  to: Known;
  /** Codes of the problems, the most severe first. */
  problems: string[];
}

/** Highest number of codes in an event. */
const NAMED = 20;
const RANK = { fail: 0, warn: 1, info: 2 } as const;

/** Returns the last known status of each check. */
export function getSettled(before: HealthStatuses, found: HealthStatuses): HealthStatuses {
  const settled = { ...before };
  for (const check of HEALTH_CHECKS) if (found[check] !== 'unknown') settled[check] = found[check];
  return settled;
}

/**
 * Lists the checks that began or ceased to fail. Unknown results, before or now, are no transition.
 * @param before last known statuses (`getSettled`)
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
