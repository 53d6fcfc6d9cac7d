import { type MailboxRecord } from '@domain/mailboxes';
import { type MailboxLease } from '@domain/sends';
import { type MailboxFacts } from '../decide/facts';

/** The mailbox of a run, with its lease and facts. */
export interface SenderMailbox {
  readonly lease: MailboxLease;
  readonly record: MailboxRecord;
  readonly facts: MailboxFacts;
}

/** The mailbox of a mail that is sent at once, without its lease: the mail’s source counts it in the mailbox’s day. */
export interface DirectMailbox {
  readonly lease: null;
  readonly record: MailboxRecord;
}

/** How long the reads of a run stay valid for the mails that follow at once. */
const FRESH_MS = 1_000;

/**
 * One run of a mailbox sender. Sources keep what they have read for it while `readAt` stays the same. Claims and
 * handovers stay safe: their guards read the stored records.
 */
export class SenderRun {
  #isOld = false;

  constructor(
    public mailbox: SenderMailbox,
    public readAt: Date,
  ) {}

  isFresh(now: Date): boolean {
    return !this.#isOld && Math.abs(now.getTime() - this.readAt.getTime()) < FRESH_MS;
  }

  /** The next mail reads the mailbox again. */
  expire(): void {
    this.#isOld = true;
  }

  renew(mailbox: SenderMailbox, readAt: Date): void {
    this.mailbox = mailbox;
    this.readAt = readAt;
    this.#isOld = false;
  }
}
