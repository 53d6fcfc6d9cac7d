import { type WorkspaceScope } from '@domain/access';
import { type ComposedMessage, MailSessions, type SendOutcome } from '@adapters/mail';
import { Injectable } from '@nestjs/common';
import { Clock } from '@platform/clock';
import { Transactions } from '@platform/database';
import { conflict } from '@platform/errors';
import { addDays, dayOf, startOfDay } from '@platform/time';
import { type TestMailResponse, toTestMail } from './dto/mailbox-test.dto';
import { MailboxAccounts } from './mailbox.accounts.service';
import { patienceOver } from './mailbox.check';
import { MailboxConnections } from './mailboxes.connection.service';
import { MailboxFigures } from './mailboxes.figures.service';
import { type MailboxRecord } from './schemas/mailbox.record';

/** Sending one mail at once, because a person asks: it counts against the day's limit as any other. */
@Injectable()
export class TestMails {
  constructor(
    private readonly accounts: MailboxAccounts,
    private readonly sessions: MailSessions,
    private readonly connections: MailboxConnections,
    private readonly figures: MailboxFigures,
    private readonly transactions: Transactions,
    private readonly clock: Clock,
  ) {}

  /** Whether one more may be sent today. @throws CONFLICT when the day's limit is used up */
  async ensureLeft(workspace: WorkspaceScope, mailbox: MailboxRecord): Promise<void> {
    const sent = await this.figures.sentToday(workspace, [mailbox]);
    if ((sent.get(mailbox._id.toHexString()) ?? 0) >= mailbox.dailySendLimit) throw this.#usedUp(mailbox);
  }

  /**
   * Gives the message to the mailbox's server; half a minute at most. A failure is an answer, and what it says about the
   * connection is noted on the mailbox.
   * @throws CONFLICT when the day's limit is used up
   */
  async send(workspace: WorkspaceScope, mailbox: MailboxRecord, message: ComposedMessage): Promise<TestMailResponse> {
    const { _id, workspaceId, credentialsRevision } = mailbox;
    const mailboxId = _id.toHexString();
    const at = this.clock.now();
    let isCounted = false;
    const outcome = await this.sessions.use(this.accounts.of(mailbox), (session) =>
      session.send(message, {
        beforeHandover: async () => {
          await this.#take(workspace, mailbox, at);
          isCounted = true;
          return true;
        },
        deadline: patienceOver(),
      }),
    );
    // One whose fate is not known may have been sent: it stays counted.
    if (isCounted && outcome.kind !== 'accepted' && outcome.kind !== 'ambiguous') {
      await this.figures.count(workspace, mailboxId, { sent: -1 }, at);
    }
    await this.#note({ workspaceId, mailboxId: _id, revision: credentialsRevision }, outcome);
    return toTestMail(message.envelope.to, message.messageId, outcome, this.connections.maskOf(mailbox));
  }

  async #note(atWork: Parameters<MailboxConnections['failed']>[0], outcome: SendOutcome): Promise<void> {
    if (outcome.kind === 'accepted') await this.connections.succeeded(atWork, 'outgoing');
    else if (outcome.kind !== 'withheld') {
      await this.connections.failed(atWork, { ...outcome, failure: outcome.kind }, 'outgoing');
    }
  }

  /** Counts one email, unless it is one too many. Of two at once for the last place one is refused. */
  async #take(workspace: WorkspaceScope, mailbox: MailboxRecord, at: Date): Promise<void> {
    await this.transactions.run(async () => {
      const { sent, warmup = 0 } = await this.figures.count(workspace, mailbox._id.toHexString(), { sent: 1 }, at);
      if (sent + warmup > mailbox.dailySendLimit) throw this.#usedUp(mailbox);
    });
  }

  #usedUp({ dailySendLimit, timezone }: MailboxRecord): Error {
    const next = startOfDay(addDays(dayOf(this.clock.now(), timezone), 1), timezone);
    return conflict(
      `The daily limit of ${dailySendLimit} emails is used up; the mailbox’s next day begins at ${next.toISOString()}`,
    );
  }
}
