import { MailError, MailSessionPool, type SentLookup } from '@adapters/mail';
import { MailboxAccountService, MailboxRepository } from '@domain/mailboxes';
import { Injectable } from '@nestjs/common';
import { type ReportRecord } from '../schemas/report.record';

/** Looks for reports of which nobody knows whether they were sent: a worker died, or a server did not answer. */
@Injectable()
export class ReportLookupsService {
  constructor(
    private readonly mailboxes: MailboxRepository,
    private readonly accounts: MailboxAccountService,
    private readonly sessions: MailSessionPool,
  ) {}

  /** `unknown` too where there is no mailbox to look into. */
  async findSent({ workspaceId, mailboxId, messageId, draftId }: ReportRecord): Promise<SentLookup> {
    const mailbox = mailboxId && (await this.mailboxes.find(workspaceId, mailboxId));
    if (!mailbox || messageId === null) return { state: 'unknown' };
    try {
      return await this.sessions.use(this.accounts.toAccount(mailbox), (session) =>
        session.findSent(messageId, { draftId }),
      );
    } catch (error) {
      if (error instanceof MailError) return { state: 'unknown' };
      throw error;
    }
  }
}
