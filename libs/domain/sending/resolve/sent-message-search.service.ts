import { MailError, MailSessionPool, type SentLookup } from '@adapters/mail';
import { MailboxAccountService, type MailboxRecord } from '@domain/mailboxes';
import { Injectable } from '@nestjs/common';

/** Looks among what a mailbox has sent. */
@Injectable()
export class SentMessageSearchService {
  constructor(
    private readonly accounts: MailboxAccountService,
    private readonly sessions: MailSessionPool,
  ) {}

  /**
   * @param mailbox null when it was deleted
   * @param isLast the last search: a mailbox that cannot be opened then counts as unknown
   */
  async find(
    mailbox: MailboxRecord | null,
    { messageId, draftId }: { readonly messageId: string; readonly draftId: string | null },
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
