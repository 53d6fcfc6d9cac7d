import { type LimitName, type Opening } from '../decide/facts';
import { type Reason } from './reasons';

/** The facts about a campaign that determine what keeps it from sending. */
export interface ConstraintFacts {
  /** For each mailbox of the campaign: whether it can send for the campaign now. */
  readonly openings: readonly Opening[];
  /** The same for new leads. */
  readonly newOpenings: readonly Opening[];
  /** Whether there are due follow-ups; `dueNew` for new leads. */
  readonly dueFollowUps: boolean;
  readonly dueNew: boolean;
  /** Whether emails are in flight. */
  readonly inFlight: boolean;
  /** Whether there are leads that no mailbox can write to. */
  readonly noSender: boolean;
  /** Whether there are leads whose addresses are being verified. */
  readonly isVerifying: boolean;
  /** When the next lead is due; null if none will be. */
  readonly nextDue: Date | null;
  /** The limit that postponed that lead; null if its step is not due yet. */
  readonly nextPostponedBy: LimitName | null;
}

export interface Constraint {
  /** Null while nothing keeps it from sending. */
  readonly reason: Reason | null;
  /** When the next email can leave; null if that requires an action or event. */
  readonly at: Date | null;
}

/** Returns what keeps a campaign from sending now: the limit of the mailbox that can send first. */
export function getConstraint(facts: ConstraintFacts, now: Date): Constraint {
  const { openings, newOpenings, dueFollowUps, dueNew, inFlight, noSender, isVerifying, nextDue, nextPostponedBy } =
    facts;
  if (openings.length === 0) return { reason: 'no_sender', at: null };
  const constraint = getOpeningConstraint(dueFollowUps || !dueNew ? openings : newOpenings);
  if (dueFollowUps || dueNew) return constraint ?? { reason: null, at: now };
  if (inFlight) return { reason: 'in_flight', at: null };
  if (nextDue === null)
    return { reason: noSender ? 'no_sender' : isVerifying ? 'lead_verifying' : 'no_leads', at: null };
  // The later of two times binds: the due date of the next lead, or the time at which a mailbox can send.
  return constraint && (constraint.at === null || constraint.at > nextDue)
    ? constraint
    : { reason: nextPostponedBy ?? 'step_delay', at: nextDue };
}

/** Returns the limit of the mailbox that opens first; null if one of them is open. */
function getOpeningConstraint(openings: readonly Opening[]): Constraint | null {
  const waits = openings.filter((opening) => opening.kind === 'wait');
  if (waits.length < openings.length) return null;
  const [first] = waits.toSorted(
    (one, other) => toTimeOrInfinity(one.nextEligibleAt) - toTimeOrInfinity(other.nextEligibleAt),
  );
  return first ? { reason: first.reason, at: first.nextEligibleAt } : null;
}

function toTimeOrInfinity(at: Date | null): number {
  return at?.getTime() ?? Infinity;
}
