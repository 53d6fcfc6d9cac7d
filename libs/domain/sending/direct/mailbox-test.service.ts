import { composeMessage } from '@adapters/mail';
import { type WorkspaceScope } from '@domain/access';
import {
  MailboxCheckService,
  type MailboxRecord,
  type MailboxTestResponse,
  type TestMailboxRequest,
  type TestMailResponse,
} from '@domain/mailboxes';
import { toMessageId } from '@domain/sends';
import { Injectable } from '@nestjs/common';
import { ClockPort } from '@platform/clock';
import { Types } from 'mongoose';
import { DirectMailService } from './direct-mail.service';

const SUBJECT = 'Test of your mailbox';
const TEXT = 'This message was sent to test the mailbox that it comes from. Nothing needs to be done.';

/** Tests of mailboxes on request, with a mail if a recipient is named. */
@Injectable()
export class MailboxTestService {
  constructor(
    private readonly checks: MailboxCheckService,
    private readonly mails: DirectMailService,
    private readonly clock: ClockPort,
  ) {}

  /**
   * As `MailboxCheckService.test`; with `sendTo` it also sends a short message, which counts against the daily limit.
   * @throws NOT_FOUND, CONFLICT when a message is requested and the daily limit is reached
   */
  async test(
    workspace: WorkspaceScope,
    mailboxId: string,
    { sendTo }: TestMailboxRequest,
  ): Promise<MailboxTestResponse> {
    if (sendTo === undefined) return this.checks.test(workspace, mailboxId);
    return this.checks.test(workspace, mailboxId, {
      prepare: (mailbox) => this.mails.requireWithinLimit(workspace, mailbox),
      send: (mailbox) => this.#send(mailbox, sendTo),
    });
  }

  async #send(mailbox: MailboxRecord, to: string): Promise<TestMailResponse> {
    const { email, displayName } = mailbox;
    const message = await composeMessage({
      from: { name: displayName, address: email },
      to: { name: '', address: to },
      subject: SUBJECT,
      text: TEXT,
      messageId: toMessageId(new Types.ObjectId().toHexString(), email),
      date: this.clock.now(),
    });
    const { messageId, outcome, response } = await this.mails.sendTest(mailbox, message);
    return { to, messageId, outcome, response };
  }
}
