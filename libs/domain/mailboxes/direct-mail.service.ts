import { type WorkspaceScope } from '@domain/access';
import { type ComposedMessage, MailSessionPool, type SendHandle, type SendOutcome } from '@adapters/mail';
import { Injectable } from '@nestjs/common';
import { ClockPort } from '@platform/clock';
import { TransactionService } from '@platform/database';
import { MetricsService, timed } from '@platform/observability';
import { addDays, getDay, startOfDay } from '@platform/time';
import { getHandoverLabels } from './handover-metric-labels';
import { MailboxAccountService } from './mailbox-account.service';
import { MailboxConnectionService } from './mailbox-connection.service';
import { MailboxFiguresService } from './mailbox-figures.service';
import { type MailboxRecord } from './schemas/mailbox.record';

type Workspace = Pick<WorkspaceScope, 'workspaceId'>;

/** The day's limit of the mailbox is used up; its next day begins at `until`. Nothing was given. */
export interface Limited {
  readonly kind: 'limited';
  readonly until: Date;
}

export interface DirectSend {
  /** Ends the send wherever it stands (`SendOptions.deadline`). */
  readonly deadline: AbortSignal;
  /** Aborting before the handover withholds the message. */
  readonly signal?: AbortSignal;
  /**
   * The last word before the server is given the message; joins the transaction that counts it, so that neither is there without the
   * other. False: it must not be given.
   */
  readonly mark?: (handle: SendHandle) => Promise<boolean>;
}

class HandoverWithheld extends Error {}
class DailyLimitReached extends Error {}

/** Sending one mail from a mailbox at once, beside its turns: it counts against the day's limit as any other. */
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

  /** Whether one more may be sent today; null when it may. */
  async findLimit(workspace: Workspace, mailbox: MailboxRecord): Promise<Limited | null> {
    const sent = await this.figures.sentToday(workspace, [mailbox]);
    const isUsedUp = (sent.get(mailbox._id.toHexString()) ?? 0) >= mailbox.dailySendLimit;
    return isUsedUp ? this.#toLimited(mailbox) : null;
  }

  /**
   * Gives the message to the mailbox's server. A failure is an answer, and what it says about the connection is noted on the
   * mailbox.
   */
  async send(
    workspace: Workspace,
    mailbox: MailboxRecord,
    message: ComposedMessage,
    { deadline, signal, mark }: DirectSend,
  ): Promise<SendOutcome | Limited> {
    const at = this.clock.now();
    let isCounted = false;
    let isUsedUp = false;
    const beforeHandover = async (handle: SendHandle): Promise<boolean> => {
      try {
        await this.#countSend(workspace, mailbox, at, async () => (mark ? mark(handle) : true));
        isCounted = true;
      } catch (error) {
        if (!(error instanceof HandoverWithheld || error instanceof DailyLimitReached)) throw error;
        isUsedUp = error instanceof DailyLimitReached;
      }
      return isCounted;
    };
    const account = this.accounts.toAccount(mailbox);
    const outcome = await timed(this.metrics.handovers, getHandoverLabels(account), () =>
      this.sessions.use(account, (session) =>
        session.send(message, { beforeHandover, deadline, ...(signal && { signal }) }),
      ),
    );
    // One whose fate is not known may have been sent: it stays counted.
    if (isCounted && outcome.kind !== 'accepted' && outcome.kind !== 'ambiguous') {
      await this.figures.countIfExists(workspace, mailbox._id.toHexString(), { sent: -1 }, at);
    }
    await this.#note(mailbox, outcome);
    return isUsedUp ? this.#toLimited(mailbox) : outcome;
  }

  async #note(
    { _id: mailboxId, workspaceId, credentialsRevision }: MailboxRecord,
    outcome: SendOutcome,
  ): Promise<void> {
    const atWork = { workspaceId, mailboxId, revision: credentialsRevision };
    if (outcome.kind === 'accepted') await this.connections.succeeded(atWork, 'outgoing');
    else if (outcome.kind !== 'withheld') {
      await this.connections.failed(atWork, { ...outcome, failure: outcome.kind }, 'outgoing');
    }
  }

  /** Counts one email, unless it is one too many. Of two at once for the last place one is refused. */
  async #countSend(workspace: Workspace, mailbox: MailboxRecord, at: Date, mark: () => Promise<boolean>): Promise<void> {
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
