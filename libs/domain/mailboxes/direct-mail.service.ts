import { type WorkspaceScope } from '@domain/access';
import { type ComposedMessage, MailSessionPool, type SendHandle, type SendOutcome } from '@adapters/mail';
import { Injectable } from '@nestjs/common';
import { ClockPort } from '@platform/clock';
import { TransactionService } from '@platform/database';
import { conflict } from '@platform/errors';
import { MetricsService, measureTime } from '@platform/observability';
import { addDays, getDay, startOfDay } from '@platform/time';
import { type TestMailResponse, toTestMail } from './dto/mailbox-test.dto';
import { getHandoverLabels } from './handover-metric-labels';
import { MailboxAccountService } from './mailbox-account.service';
import { createCheckDeadline } from './mailbox-check';
import { MailboxConnectionService } from './mailbox-connection.service';
import { MailboxFiguresService } from './mailbox-figures.service';
import { type MailboxRecord } from './schemas/mailbox.record';

type Workspace = Pick<WorkspaceScope, 'workspaceId'>;

/** The daily limit of the mailbox is reached; its next day begins at `until`. Nothing was submitted. */
export interface Limited {
  readonly kind: 'limited';
  readonly until: Date;
}

export interface DirectSend {
  /** Ends the send at any stage (`SendOptions.deadline`). */
  readonly deadline: AbortSignal;
  /** Aborting before the handover withholds the message. */
  readonly signal?: AbortSignal;
  /**
   * Called last before the handover, in the transaction that counts the message, so that both are stored or neither. False
   * withholds the message.
   */
  readonly mark?: (handle: SendHandle) => Promise<boolean>;
}

class HandoverWithheld extends Error {}
class DailyLimitReached extends Error {}

/** Sends a single message at once, without the mailbox lease. The message counts against the daily limit. */
@Injectable()
export class DirectMailService {
  constructor(
    private readonly accounts: MailboxAccountService,
    private readonly sessions: MailSessionPool,
    private readonly connections: MailboxConnectionService,
    private readonly figures: MailboxFiguresService,
    private readonly transactions: TransactionService,
    private readonly clock: ClockPort,
    private readonly metrics: MetricsService,
  ) {}

  /** Returns the limit that stops one more message today; null when there is none. */
  async findLimit(workspace: Workspace, mailbox: MailboxRecord): Promise<Limited | null> {
    const sent = await this.figures.sentToday(workspace, [mailbox]);
    const isLimitReached = (sent.get(mailbox._id.toHexString()) ?? 0) >= mailbox.dailySendLimit;
    return isLimitReached ? this.#toLimited(mailbox) : null;
  }

  /**
   * Submits the message to the mailbox's server. A failure is a result; its effect on the connection is recorded.
   */
  async send(
    workspace: Workspace,
    mailbox: MailboxRecord,
    message: ComposedMessage,
    { deadline, signal, mark }: DirectSend,
  ): Promise<SendOutcome | Limited> {
    const at = this.clock.now();
    let isCounted = false;
    let isLimitReached = false;
    const beforeHandover = async (handle: SendHandle): Promise<boolean> => {
      try {
        await this.#countSend(workspace, mailbox, at, async () => (mark ? mark(handle) : true));
        isCounted = true;
      } catch (error) {
        if (!(error instanceof HandoverWithheld || error instanceof DailyLimitReached)) throw error;
        isLimitReached = error instanceof DailyLimitReached;
      }
      return isCounted;
    };
    const account = this.accounts.toAccount(mailbox);
    const outcome = await measureTime(this.metrics.handovers, getHandoverLabels(account), () =>
      this.sessions.use(account, (session) =>
        session.send(message, { beforeHandover, deadline, ...(signal && { signal }) }),
      ),
    );
    // An ambiguous message may have been sent: it stays counted.
    if (isCounted && outcome.kind !== 'accepted' && outcome.kind !== 'ambiguous') {
      await this.figures.countIfExists(workspace, mailbox._id.toHexString(), { sent: -1 }, at);
    }
    await this.#recordOutcome(mailbox, outcome);
    return isLimitReached ? this.#toLimited(mailbox) : outcome;
  }

  /** @throws CONFLICT when no more message may be sent today */
  async requireWithinLimit(workspace: WorkspaceScope, mailbox: MailboxRecord): Promise<void> {
    const limited = await this.findLimit(workspace, mailbox);
    if (limited) throw limitReached(mailbox, limited);
  }

  /**
   * Sends a message that a person waits for, as `send` does, in at most half a minute.
   * @throws CONFLICT when the daily limit is reached
   */
  async sendTest(
    workspace: WorkspaceScope,
    mailbox: MailboxRecord,
    message: ComposedMessage,
  ): Promise<TestMailResponse> {
    const outcome = await this.send(workspace, mailbox, message, { deadline: createCheckDeadline() });
    if (outcome.kind === 'limited') throw limitReached(mailbox, outcome);
    return toTestMail(message.envelope.to, message.messageId, outcome, this.connections.createSecretMask(mailbox));
  }

  async #recordOutcome(
    { _id: mailboxId, workspaceId, credentialsRevision }: MailboxRecord,
    outcome: SendOutcome,
  ): Promise<void> {
    const atWork = { workspaceId, mailboxId, revision: credentialsRevision };
    if (outcome.kind === 'accepted') await this.connections.recordSuccess(atWork, 'outgoing');
    else if (outcome.kind !== 'withheld') {
      await this.connections.recordFailure(atWork, { ...outcome, failure: outcome.kind }, 'outgoing');
    }
  }

  /** Counts one message, unless it exceeds the limit. Of two concurrent messages within the last place one is refused. */
  async #countSend(
    workspace: Workspace,
    mailbox: MailboxRecord,
    at: Date,
    mark: () => Promise<boolean>,
  ): Promise<void> {
    await this.transactions.run(async () => {
      const { sent, warmup = 0 } = await this.figures.count(workspace, mailbox._id.toHexString(), { sent: 1 }, at);
      if (sent + warmup > mailbox.dailySendLimit) throw new DailyLimitReached();
      if (!(await mark())) throw new HandoverWithheld();
    });
  }

  #toLimited({ timezone }: MailboxRecord): Limited {
    const tomorrow = addDays(getDay(this.clock.now(), timezone), 1);
    return { kind: 'limited', until: startOfDay(tomorrow, timezone) };
  }
}

function limitReached({ dailySendLimit }: MailboxRecord, { until }: Limited): Error {
  return conflict(
    `The daily limit of ${dailySendLimit} emails is used up; the mailbox’s next day begins at ${until.toISOString()}`,
  );
}
