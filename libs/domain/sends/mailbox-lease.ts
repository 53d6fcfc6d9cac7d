import { type BudgetSlot, type Cooldown } from './schemas/mailbox-lease.record';

/** What a mailbox has used of its budget. */
export interface Budget {
  /** When it was last used. */
  readonly lastSentAt: Date | null;
  /** When it was used before that. */
  readonly sentBefore: Date | null;
  /** YYYY-MM-DD in the mailbox's zone that `dayUsed` belongs to; '' before the first use. */
  readonly day: string;
  readonly dayUsed: number;
  /** Of these, the mails of warmup. */
  readonly dayWarmup: number;
  /** Use of the last 24 hours, oldest first. */
  readonly slots: readonly BudgetSlot[];
  /** When the emails of the last minute were taken; kept where the provider has a limit per minute. */
  readonly recent: readonly Date[];
}

/** Why a mailbox does not send until a person resumes it. */
export interface Stopped {
  readonly code: string;
  readonly message: string;
  readonly at: Date;
}

/** The right to send from a mailbox, held until its lease runs out. The budget is as it was when the turn began. */
export interface MailboxLease extends Budget {
  readonly mailboxId: string;
  readonly workspaceId: string;
  readonly holder: string;
  readonly fence: number;
  /** What was planned when the turn began; null or later than now when its job came for nothing. */
  readonly nextAtSeen: Date | null;
  /** Nothing came of the turn before, and nothing may come of this one. */
  readonly isTrial: boolean;
  readonly stopped: Stopped | null;
  readonly rest: Cooldown | null;
}

/** What can be told about a mailbox's turns from outside. */
export interface MailboxLeaseState extends Budget {
  readonly mailboxId: string;
  /** When it can next do something; null while there is nothing to do. */
  readonly nextAt: Date | null;
  /** Nothing came of its last turn, and it is not known that anything will at `nextAt`. */
  readonly isTrial: boolean;
  readonly stopped: Stopped | null;
  /** What its server has asked for last, over or not. */
  readonly rest: Cooldown | null;
}
