import { type WorkspaceScope } from '@domain/access';
import { type ComposedMessage } from '@adapters/mail';
import { Injectable } from '@nestjs/common';
import { conflict } from '@platform/errors';
import { DirectMailService, type Limited } from './direct-mail.service';
import { type TestMailResponse, toTestMail } from './dto/mailbox-test.dto';
import { createCheckDeadline } from './mailbox-check';
import { MailboxConnectionService } from './mailbox-connection.service';
import { type MailboxRecord } from './schemas/mailbox.record';

/** Sending one mail at once, because a person asks: it counts against the day's limit as any other. */
@Injectable()
export class TestMailsService {
  constructor(
    private readonly mails: DirectMailService,
    private readonly connections: MailboxConnectionService,
  ) {}

  /** Whether one more may be sent today. @throws CONFLICT when the day's limit is used up */
  async requireWithinLimit(workspace: WorkspaceScope, mailbox: MailboxRecord): Promise<void> {
    const limited = await this.mails.findLimit(workspace, mailbox);
    if (limited) throw usedUp(mailbox, limited);
  }

  /**
   * Gives the message to the mailbox's server; half a minute at most. A failure is an answer, and what it says about the
   * connection is noted on the mailbox.
   * @throws CONFLICT when the day's limit is used up
   */
  async sendTest(workspace: WorkspaceScope, mailbox: MailboxRecord, message: ComposedMessage): Promise<TestMailResponse> {
    const outcome = await this.mails.send(workspace, mailbox, message, { deadline: createCheckDeadline() });
    if (outcome.kind === 'limited') throw usedUp(mailbox, outcome);
    return toTestMail(message.envelope.to, message.messageId, outcome, this.connections.createSecretMask(mailbox));
  }
}

function usedUp({ dailySendLimit }: MailboxRecord, { until }: Limited): Error {
  return conflict(
    `The daily limit of ${dailySendLimit} emails is used up; the mailbox’s next day begins at ${until.toISOString()}`,
  );
}
