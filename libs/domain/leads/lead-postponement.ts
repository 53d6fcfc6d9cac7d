import { type LeadPostponement, type LeadRecord } from './schemas/lead.record';

type Postponable = Pick<LeadRecord, 'dueAt' | 'postponement'>;

/** The time at which the next step is due by the sequence, without postponement. */
export function getLeadDueAt(lead: Postponable): Date | null {
  return findValidPostponement(lead)?.dueAt ?? lead.dueAt;
}

/**
 * The postponement under the present settings of the campaign; null after a change of the settings, which frees the
 * lead.
 */
export function findPostponement(lead: Postponable, { revision }: { revision: number }): LeadPostponement | null {
  const valid = findValidPostponement(lead);
  return valid && valid.revision >= revision ? valid : null;
}

/** null once another change has set `dueAt`: that change takes precedence. */
function findValidPostponement({ dueAt, postponement }: Postponable): LeadPostponement | null {
  return postponement && dueAt?.getTime() === postponement.until.getTime() ? postponement : null;
}
