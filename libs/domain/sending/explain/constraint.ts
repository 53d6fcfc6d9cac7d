import { type LimitName, type Opening } from '../decide/facts';
import { type Reason } from './reasons';

/** What is known of a campaign when it is asked what keeps it from sending. */
export interface ConstraintFacts {
  /** Of each mailbox of the campaign: whether it can send something of it now. */
  readonly openings: readonly Opening[];
  /** The same for new leads. */
  readonly newOpenings: readonly Opening[];
  /** Whether there are follow-ups, or new leads, that are due. */
  readonly dueFollowUps: boolean;
  readonly dueNew: boolean;
  /** Whether emails are on their way. */
  readonly inFlight: boolean;
  /** Whether there are leads that no mailbox can write to. */
  readonly noSender: boolean;
  /** Whether there are leads whose addresses are being verified. */
  readonly isVerifying: boolean;
  /** When the next lead is due; null when none will be. */
  readonly nextDue: Date | null;
  /** What has postponed that lead; null when its step is not due yet. */
  readonly nextPostponedBy: LimitName | null;
}

export interface Constraint {
  /** null while nothing keeps it from sending. */
  readonly reason: Reason | null;
  /** When the next email can go; null when that takes an act or event. */
  readonly at: Date | null;
}

/** The one thing that keeps a campaign from sending now: what holds the mailbox that can send first. */
export function getConstraint(facts: ConstraintFacts, now: Date): Constraint {
  const { openings, newOpenings, dueFollowUps, dueNew, inFlight, noSender, isVerifying, nextDue, nextPostponedBy } =
    facts;
  if (openings.length === 0) return { reason: 'no_sender', at: null };
  const constraint = getOpeningConstraint(dueFollowUps || !dueNew ? openings : newOpenings);
  if (dueFollowUps || dueNew) return constraint ?? { reason: null, at: now };
  if (inFlight) return { reason: 'in_flight', at: null };
  if (nextDue === null)
    return { reason: noSender ? 'no_sender' : isVerifying ? 'lead_verifying' : 'no_leads', at: null };
  // Who is due later than the mailboxes can send is what binds, and the other way round.
  return constraint && (constraint.at === null || constraint.at > nextDue)
    ? constraint
    : { reason: nextPostponedBy ?? 'step_delay', at: nextDue };
}

/** What holds the one that opens first; null when one of them is open. */
function getOpeningConstraint(openings: readonly Opening[]): Constraint | null {
  const waits = openings.filter((opening) => opening.kind === 'wait');
  if (waits.length < openings.length) return null;
  const [first] = waits.toSorted((one, other) => timeOf(one.nextEligibleAt) - timeOf(other.nextEligibleAt));
  return first ? { reason: first.reason, at: first.nextEligibleAt } : null;
}

function timeOf(at: Date | null): number {
  return at?.getTime() ?? Infinity;
}
