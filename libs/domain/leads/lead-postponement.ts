import { type LeadPostponement, type LeadRecord } from './schemas/lead.record';

type Postponable = Pick<LeadRecord, 'dueAt' | 'postponement'>;

/** When the next step is due by the sequence, whatever has postponed it since. */
export function dueAtOf(lead: Postponable): Date | null {
  return validOf(lead)?.dueAt ?? lead.dueAt;
}

/** What postpones the lead under the present settings of its campaign; null after a change of them, which frees the lead. */
export function postponementOf(lead: Postponable, { revision }: { revision: number }): LeadPostponement | null {
  const valid = validOf(lead);
  return valid && valid.revision >= revision ? valid : null;
}

/** null once anything else has moved `dueAt`: what moved it counts. */
function validOf({ dueAt, postponement }: Postponable): LeadPostponement | null {
  return postponement && dueAt?.getTime() === postponement.until.getTime() ? postponement : null;
}
