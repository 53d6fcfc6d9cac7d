import { type LeadPostponement, type LeadRecord } from './schemas/lead.record';

type Postponable = Pick<LeadRecord, 'dueAt' | 'postponement'>;

/** The time at which the next step is due by the sequence, without postponement. */
export function dueAtOf(lead: Postponable): Date | null {
  return validOf(lead)?.dueAt ?? lead.dueAt;
}

/**
 * The postponement under the present settings of the campaign; null after a change of the settings, which frees the
 * lead.
 */
export function postponementOf(lead: Postponable, { revision }: { revision: number }): LeadPostponement | null {
  const valid = validOf(lead);
  return valid && valid.revision >= revision ? valid : null;
}

/** null once another change has set `dueAt`: that change takes precedence. */
function validOf({ dueAt, postponement }: Postponable): LeadPostponement | null {
  return postponement && dueAt?.getTime() === postponement.until.getTime() ? postponement : null;
}
