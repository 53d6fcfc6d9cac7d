import { type WorkPartitionLease } from '@platform/work-partitions';
import { type BudgetSlot, type Cooldown } from './schemas/mailbox-lease.record';

/** The used budget of a mailbox. */
export interface Budget {
  /** When it was last used. */
  readonly lastSentAt: Date | null;
  /** When it was used the time before. */
  readonly sentBefore: Date | null;
  /** YYYY-MM-DD in the mailbox's zone that `dayUsed` belongs to; '' before the first use. */
  readonly day: string;
  readonly dayUsed: number;
  /** Warmup mails among them. */
  readonly dayWarmup: number;
  /** Use of the last 24 hours, oldest first. */
  readonly slots: readonly BudgetSlot[];
  /** Claims of the last minute; stored where the provider has a limit per minute. */
  readonly recent: readonly Date[];
}

/** The mailbox of a run. */
export interface RunMailboxSend {
  readonly workspaceId: string;
  readonly mailboxId: string;
}

/** Why a mailbox does not send until a person resumes it. */
export interface Stopped {
  readonly code: string;
  readonly message: string;
  readonly at: Date;
}

/** The exclusive right to send from a mailbox until it expires. The budget is that of the acquisition. */
export interface MailboxLease extends WorkPartitionLease, Budget {
  readonly mailboxId: string;
  /** The run that was scheduled at the acquisition; null or in the future when its job was obsolete. */
  readonly plannedFor: Date | null;
  /** The run before sent nothing, and this one may send nothing either. */
  readonly isPoll: boolean;
  readonly stopped: Stopped | null;
  readonly cooldown: Cooldown | null;
}

/** The state of a mailbox's lease, for readers that do not hold it. */
export interface MailboxLeaseState extends Budget {
  readonly mailboxId: string;
  /** The next run; null while there is nothing to do. */
  readonly nextAt: Date | null;
  /** The last run sent nothing, and the one at `nextAt` may send nothing either. */
  readonly isPoll: boolean;
  readonly stopped: Stopped | null;
  /** The last cooldown that its server asked for, ended or not. */
  readonly cooldown: Cooldown | null;
}
