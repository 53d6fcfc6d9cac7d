import { type WorkspaceScope } from '@domain/access';
import { composeMessage, type MailCheck, type MailSession, MailSessions } from '@adapters/mail';
import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import { Clock } from '@platform/clock';
import { Transactions } from '@platform/database';
import { conflict } from '@platform/errors';
import { type Model, Types } from 'mongoose';
import {
  type MailboxTestResponse,
  type TestMailboxRequest,
  type TestMailResponse,
  toCheckResult,
  toTestMail,
} from './dto/mailbox-test.dto';
import { MailboxAccounts } from './mailbox.accounts.service';
import { failureIn, patienceOver, verifyNow } from './mailbox.check';
import { addDays, dayOf, startOfDay } from '@platform/time';
import { findMailbox } from './mailbox.lookup';
import { MailboxConnections } from './mailboxes.connection.service';
import { MailboxFigures } from './mailboxes.figures.service';
import { MailboxRecord } from './schemas/mailbox.record';

const SUBJECT = 'Test of your mailbox';
const TEXT = 'This message was sent to test the mailbox that it comes from. Nothing needs to be done.';

/** Trying a mailbox right now, because a person asks. */
@Injectable()
export class MailboxTestService {
  constructor(
    @InjectModel(MailboxRecord.name) private readonly mailboxes: Model<MailboxRecord>,
    private readonly accounts: MailboxAccounts,
    private readonly sessions: MailSessions,
    private readonly connections: MailboxConnections,
    private readonly figures: MailboxFigures,
    private readonly transactions: Transactions,
    private readonly clock: Clock,
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
    const mailbox = await findMailbox(this.mailboxes, workspace, mailboxId);
    if (sendTo !== undefined) await this.#ensureLeft(workspace, mailbox);
    return this.sessions.use(this.accounts.of(mailbox), async (session) => {
      const check = await verifyNow(session);
      await this.#note(mailbox, check);
      const { outgoing, incoming } = check;
      const sends = sendTo !== undefined && outgoing.ok;
      const masked = this.connections.maskOf(mailbox);
      return {
        outgoing: toCheckResult(outgoing, masked),
        incoming: toCheckResult(incoming, masked),
        sent: sends ? await this.#send(workspace, mailbox, session, sendTo) : null,
      };
    });
  }

  async #note(mailbox: MailboxRecord, check: MailCheck): Promise<void> {
    const { _id, workspaceId, credentialsRevision } = mailbox;
    const atWork = { workspaceId, mailboxId: _id, revision: credentialsRevision };
    const failed = failureIn(check);
    if (failed) await this.connections.failed(atWork, failed.failure, failed.half);
    else await this.connections.succeeded(atWork, 'both');
  }

  async #send(
    workspace: WorkspaceScope,
    mailbox: MailboxRecord,
    session: MailSession,
    to: string,
  ): Promise<TestMailResponse> {
    const { email, displayName } = mailbox;
    const at = this.clock.now();
    const message = await composeMessage({
      from: { name: displayName, address: email },
      to: { name: '', address: to },
      subject: SUBJECT,
      text: TEXT,
      messageId: `<${new Types.ObjectId().toHexString()}@${domainOf(email)}>`,
      date: at,
    });
    let isCounted = false;
    const outcome = await session.send(message, {
      beforeHandover: async () => {
        await this.#take(workspace, mailbox, at);
        isCounted = true;
        return true;
      },
      deadline: patienceOver(),
    });
    // One whose fate is not known may have been sent: it stays counted.
    if (isCounted && outcome.kind !== 'accepted' && outcome.kind !== 'ambiguous') {
      await this.figures.count(workspace, mailbox._id.toHexString(), { sent: -1 }, at);
    }
    return toTestMail(to, message.messageId, outcome, this.connections.maskOf(mailbox));
  }

  /** Counts one email, unless it is one too many. Of two at once for the last place one is refused. */
  async #take(workspace: WorkspaceScope, mailbox: MailboxRecord, at: Date): Promise<void> {
    await this.transactions.run(async () => {
      const { sent } = await this.figures.count(workspace, mailbox._id.toHexString(), { sent: 1 }, at);
      if (sent > mailbox.dailySendLimit) throw this.#usedUp(mailbox);
    });
  }

  async #ensureLeft(workspace: WorkspaceScope, mailbox: MailboxRecord): Promise<void> {
    const sent = await this.figures.sentToday(workspace, [mailbox]);
    if ((sent.get(mailbox._id.toHexString()) ?? 0) >= mailbox.dailySendLimit) throw this.#usedUp(mailbox);
  }

  #usedUp({ dailySendLimit, timezone }: MailboxRecord): Error {
    const next = startOfDay(addDays(dayOf(this.clock.now(), timezone), 1), timezone);
    return conflict(
      `The daily limit of ${dailySendLimit} emails is used up; the mailbox’s next day begins at ${next.toISOString()}`,
    );
  }
}

function domainOf(email: string): string {
  return email.slice(email.lastIndexOf('@') + 1);
}
