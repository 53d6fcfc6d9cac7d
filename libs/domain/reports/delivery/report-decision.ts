import { type SendOutcome, type SentLookup } from '@adapters/mail';
import { type ReportEnd } from './report.repository';

const MINUTE_MS = 60_000;
/** Delays after the first, second … failed attempt; after the last one the report fails. */
const RETRY_AFTER_MINUTES = [1, 5, 15, 60, 180, 360] as const;
/** Attempts in total. */
export const MAX_ATTEMPTS = RETRY_AFTER_MINUTES.length + 1;
/** Delay before a mailbox that cannot send now is checked again. */
const MAILBOX_RETRY_MS = 15 * MINUTE_MS;
/** Minutes after the handover at which an unanswered report is looked up in the sent mail. */
const LOOKUP_AFTER_MINUTES = [1, 5, 30, 120] as const;
/** Largest random extension of a delay, so that reports that failed together are not retried together. */
const JITTER = 0.25;

/** Reasons for withholding a report. */
export const WITHHELD = {
  deleted: 'The recipient was deleted',
  inactive: 'The recipient was switched off',
  unscheduled: 'The schedule of the recipient was switched off',
  addressChanged: 'The address was changed',
  suppressed: 'The address is on the suppression list of the workspace',
  withoutSubject: 'The campaigns of the report were deleted',
} as const;

/** Facts for the decision before a report is composed. */
export interface ReportSendFacts {
  /** When the next report is due. */
  readonly expiresAt: Date;
  /** The address it was planned for. */
  readonly email: string;
  readonly reason: string | null;
  /** null: the recipient or its workspace is deleted. */
  readonly recipient: {
    readonly active: boolean;
    /** Whether the recipient wants reports of this trigger, manual or scheduled. */
    readonly isSubscribed: boolean;
    readonly email: string;
    readonly hasSubject: boolean;
  } | null;
  readonly isSuppressed: boolean;
  readonly sender: SenderFacts;
}

export type SenderFacts =
  | { readonly kind: 'none' }
  | { readonly kind: 'operator' }
  /** Why it cannot send, and until when its daily limit is reached; null otherwise. */
  | { readonly kind: 'mailbox'; readonly obstacle: string | null; readonly limitedUntil: Date | null };

export type ReportDecision =
  | { readonly kind: 'send' }
  | { readonly kind: 'wait'; readonly until: Date; readonly reason: string }
  | { readonly kind: 'end'; readonly end: ReportEnd };

export const LIMITED = 'The daily limit of the mailbox is used up';

/** Decides whether a due report is sent now, later or never. Pure. */
export function decideReport(facts: ReportSendFacts, now: Date): ReportDecision {
  const refused = findRefusal(facts);
  if (refused !== null) return toEnd('withheld', refused);
  if (facts.expiresAt <= now) return toEnd('skipped', describeLateness(facts.reason));
  const { sender } = facts;
  if (sender.kind === 'none') {
    return toEnd('failed', 'No mailbox was chosen for reports, and the operator has no server for them');
  }
  if (sender.kind === 'operator') return { kind: 'send' };
  if (sender.obstacle !== null)
    return toWait(new Date(now.getTime() + MAILBOX_RETRY_MS), sender.obstacle, facts.expiresAt);
  if (sender.limitedUntil !== null) return toWait(sender.limitedUntil, LIMITED, facts.expiresAt);
  return { kind: 'send' };
}

/** Returns why the report must not be sent; null when nothing forbids it. */
function findRefusal({ recipient, email, isSuppressed }: ReportSendFacts): string | null {
  if (recipient === null) return WITHHELD.deleted;
  if (!recipient.active) return WITHHELD.inactive;
  if (!recipient.isSubscribed) return WITHHELD.unscheduled;
  if (recipient.email !== email) return WITHHELD.addressChanged;
  if (isSuppressed) return WITHHELD.suppressed;
  return recipient.hasSubject ? null : WITHHELD.withoutSubject;
}

/** The consequence of an attempt. */
export type AttemptOutcome =
  | { readonly kind: 'end'; readonly end: ReportEnd }
  /** `attempts` only when this attempt counts. */
  | { readonly kind: 'wait'; readonly until: Date; readonly reason: string; readonly attempts?: number }
  | { readonly kind: 'lookup'; readonly at: Date; readonly reason: string }
  /** The service that withheld it has stored the reason. */
  | { readonly kind: 'released' };

export interface Attempt {
  /** Including this one. */
  readonly attempts: number;
  readonly expiresAt: Date;
  /** Whether a Sent folder can be searched. */
  readonly hasSentFolder: boolean;
  /** 0 to 1 */
  readonly random: number;
}

const UNANSWERED = 'The server did not reply to the report: it may have been sent';

/** Decides what follows from the outcome of a send. Pure. @param lastReply the server's reply, without secrets */
export function decideAfterAttempt(
  outcome: SendOutcome,
  lastReply: string,
  attempt: Attempt,
  now: Date,
): AttemptOutcome {
  switch (outcome.kind) {
    case 'accepted':
      return { kind: 'end', end: { state: 'sent', reason: null, sentAt: now } };
    case 'withheld':
      return { kind: 'released' };
    case 'permanent':
      return { kind: 'end', end: { state: 'failed', reason: lastReply, attempts: attempt.attempts } };
    case 'ambiguous':
      return attempt.hasSentFolder
        ? { kind: 'lookup', at: addMinutes(now, LOOKUP_AFTER_MINUTES[0]), reason: UNANSWERED }
        : { kind: 'end', end: { state: 'unknown', reason: UNANSWERED } };
    case 'temporary':
    case 'needs-human':
      return decideAfterReportFailure(lastReply, attempt, now);
  }
}

/** Decides what follows from a temporary failure of the mail server or of this installation. Pure. */
export function decideAfterReportFailure(reason: string, attempt: Attempt, now: Date): AttemptOutcome {
  const { attempts, expiresAt, random } = attempt;
  const minutes = RETRY_AFTER_MINUTES[attempts - 1];
  if (minutes === undefined) return { kind: 'end', end: { state: 'failed', reason, attempts } };
  const until = addMinutes(now, minutes * (1 + random * JITTER));
  if (until < expiresAt) return { kind: 'wait', until, reason, attempts };
  return { kind: 'end', end: { state: 'skipped', reason: describeLateness(reason), attempts } };
}

/** Decides what follows from a lookup of an ambiguous report. `not_sent` is proof, so it may be sent again. Pure. */
export function decideAfterLookup(found: SentLookup, handedAt: Date, attempt: Attempt, now: Date): AttemptOutcome {
  if (found.state === 'sent') return { kind: 'end', end: { state: 'sent', reason: null, sentAt: handedAt } };
  if (found.state === 'not_sent')
    return decideAfterReportFailure('The report was not sent: its draft still exists', attempt, now);
  if (!attempt.hasSentFolder) return { kind: 'end', end: { state: 'unknown', reason: UNANSWERED } };
  const times = LOOKUP_AFTER_MINUTES.map((minutes) => addMinutes(handedAt, minutes));
  const next = times.find((at) => at > now);
  return next
    ? { kind: 'lookup', at: next, reason: UNANSWERED }
    : { kind: 'end', end: { state: 'unknown', reason: UNANSWERED } };
}

/** Waits at most until the next report is due, which replaces this one. */
function toWait(until: Date, reason: string, expiresAt: Date): ReportDecision {
  return { kind: 'wait', until: until < expiresAt ? until : expiresAt, reason };
}

function toEnd(state: ReportEnd['state'], reason: string): ReportDecision {
  return { kind: 'end', end: { state, reason } };
}

function describeLateness(reason: string | null): string {
  return `The next report was due before this one could be sent${reason === null ? '' : `: ${reason}`}`;
}

function addMinutes(at: Date, minutes: number): Date {
  return new Date(at.getTime() + Math.round(minutes * MINUTE_MS));
}
