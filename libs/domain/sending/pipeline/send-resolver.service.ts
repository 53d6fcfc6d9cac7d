import { MailError, MailSessionPool, type SentLookup } from '@adapters/mail';
import { MailboxAccountService, type MailboxRecord, MailboxRepository } from '@domain/mailboxes';
import { MailboxLeaseService } from '@domain/sends';
import { Injectable } from '@nestjs/common';
import { ClockPort } from '@platform/clock';
import { TransactionService } from '@platform/database';
import { HookRegistry } from '@platform/hooks';
import { type AmbiguousMail, type MailResolution, OUTBOUND_MAIL_SOURCES } from './outbound-mail-source';
import { nextResolveAt, UNCONFIRMED_AFTER_MS } from './resolve-schedule';

/** Maximum mails of a source that one run resolves. */
const BATCH = 100;

/** Resolves ambiguous mail. None is sent again without proof that the first handover did not send it. */
@Injectable()
export class SendResolverService {
  constructor(
    private readonly hooks: HookRegistry,
    private readonly mailboxes: MailboxRepository,
    private readonly leases: MailboxLeaseService,
    private readonly transactions: TransactionService,
    private readonly accounts: MailboxAccountService,
    private readonly sessions: MailSessionPool,
    private readonly clock: ClockPort,
  ) {}

  /**
   * Resolves what is due.
   * @param report receives each failure; a failed resolution is retried
   */
  async resolve(signal: AbortSignal, report: (error: unknown, mailId: string) => void): Promise<void> {
    for (const source of this.hooks.list(OUTBOUND_MAIL_SOURCES)) {
      for (const mail of (await source.listAmbiguous?.(this.clock.now(), BATCH)) ?? []) {
        if (signal.aborted) return;
        await this.#resolve(mail).catch((error: unknown) => report(error, mail.id));
      }
    }
  }

  async #resolve(mail: AmbiguousMail): Promise<void> {
    const now = this.clock.now();
    const { workspaceId, mailboxId, handoverAt } = mail;
    // The next resolution is scheduled first. A crash therefore repeats it, and no other worker resolves the mail
    // meanwhile.
    if (!(await mail.reschedule(nextResolveAt(handoverAt, now)))) return;
    const mailbox = await this.mailboxes.find(workspaceId, mailboxId);
    const resolution = await this.#getResolution(mail, mailbox, now);
    if (!resolution) return;
    const isResolved = await this.transactions.run(() => mail.resolve(resolution, mailbox));
    // Proof that it was not sent: the same message with the same Message-ID is sent again.
    if (isResolved && resolution.kind === 'not_sent') {
      await this.leases.scheduleNow(workspaceId.toHexString(), [mailboxId.toHexString()]);
    }
  }

  /** Returns null while the outcome stays unknown. */
  async #getResolution(mail: AmbiguousMail, mailbox: MailboxRecord | null, now: Date): Promise<MailResolution | null> {
    if (await mail.isProven()) return { kind: 'proven' };
    const isOver = now.getTime() - mail.handoverAt.getTime() >= UNCONFIRMED_AFTER_MS;
    const found = await this.#findSent(mailbox, mail, isOver);
    if (found.state === 'sent') return { kind: 'found', ...found };
    if (found.state === 'not_sent') return { kind: 'not_sent', now };
    return isOver ? { kind: 'unconfirmed' } : null;
  }

  /**
   * Searches the sent mail of the mailbox.
   * @param mailbox null when it was deleted
   * @param isLast the last search: a mailbox that cannot be opened then counts as unknown
   */
  async #findSent(
    mailbox: MailboxRecord | null,
    { messageId, draftId }: Pick<AmbiguousMail, 'messageId' | 'draftId'>,
    isLast: boolean,
  ): Promise<SentLookup> {
    if (!mailbox) return { state: 'unknown' };
    try {
      return await this.sessions.use(this.accounts.toAccount(mailbox), (session) =>
        session.findSent(messageId, { draftId }),
      );
    } catch (error) {
      if (isLast || error instanceof MailError) return { state: 'unknown' };
      throw error;
    }
  }
}
