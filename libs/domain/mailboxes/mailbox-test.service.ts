import { type WorkspaceScope } from '@domain/access';
import { composeMessage, type MailCheck, MailSessionPool } from '@adapters/mail';
import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import { ClockPort } from '@platform/clock';
import { type Model, Types } from 'mongoose';
import {
  type MailboxTestResponse,
  type TestMailboxRequest,
  type TestMailResponse,
  toCheckResult,
} from './dto/mailbox-test.dto';
import { MailboxAccountService } from './mailbox-account.service';
import { findFailure, verifyNow } from './mailbox-check';
import { requireMailbox } from './mailbox-lookup';
import { MailboxConnectionService } from './mailbox-connection.service';
import { MailboxRecord } from './schemas/mailbox.record';
import { TestMailsService } from './test-mails.service';

const SUBJECT = 'Test of your mailbox';
const TEXT = 'This message was sent to test the mailbox that it comes from. Nothing needs to be done.';

/** Trying a mailbox right now, because a person asks. */
@Injectable()
export class MailboxTestService {
  constructor(
    @InjectModel(MailboxRecord.name) private readonly mailboxes: Model<MailboxRecord>,
    private readonly accounts: MailboxAccountService,
    private readonly sessions: MailSessionPool,
    private readonly connections: MailboxConnectionService,
    private readonly mails: TestMailsService,
    private readonly clock: ClockPort,
  ) {}

  /**
   * Logs in to both halves and says how each answered; with `sendTo` also sends a short mail there, which counts as any
   * other. A failure is an answer, and is noted on the mailbox like one that happens at work. Takes a minute at most.
   * @throws NOT_FOUND, CONFLICT when a mail is asked for and the day's limit is used up
   */
  async test(
    workspace: WorkspaceScope,
    mailboxId: string,
    { sendTo }: TestMailboxRequest,
  ): Promise<MailboxTestResponse> {
    const mailbox = await requireMailbox(this.mailboxes, workspace, mailboxId);
    if (sendTo !== undefined) await this.mails.requireWithinLimit(workspace, mailbox);
    return this.sessions.use(this.accounts.toAccount(mailbox), async (session) => {
      const check = await verifyNow(session);
      await this.#note(mailbox, check);
      const { outgoing, incoming } = check;
      const sends = sendTo !== undefined && outgoing.ok;
      const masked = this.connections.createSecretMask(mailbox);
      return {
        outgoing: toCheckResult(outgoing, masked),
        incoming: toCheckResult(incoming, masked),
        sent: sends ? await this.#send(workspace, mailbox, sendTo) : null,
      };
    });
  }

  async #note(mailbox: MailboxRecord, check: MailCheck): Promise<void> {
    const { _id, workspaceId, credentialsRevision } = mailbox;
    const atWork = { workspaceId, mailboxId: _id, revision: credentialsRevision };
    const failed = findFailure(check);
    if (failed) await this.connections.failed(atWork, failed.failure, failed.half);
    else await this.connections.succeeded(atWork, 'both');
  }

  async #send(workspace: WorkspaceScope, mailbox: MailboxRecord, to: string): Promise<TestMailResponse> {
    const { email, displayName } = mailbox;
    const message = await composeMessage({
      from: { name: displayName, address: email },
      to: { name: '', address: to },
      subject: SUBJECT,
      text: TEXT,
      messageId: `<${new Types.ObjectId().toHexString()}@${getDomain(email)}>`,
      date: this.clock.now(),
    });
    const { messageId, outcome, response } = await this.mails.sendTest(workspace, mailbox, message);
    return { to, messageId, outcome, response };
  }
}

function getDomain(email: string): string {
  return email.slice(email.lastIndexOf('@') + 1);
}
