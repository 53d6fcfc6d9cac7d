import { type WorkspaceScope } from '@domain/access';
import { type ComposedMessage, type SendHandle, type SendOutcome } from '@adapters/mail';
import {
  createCheckDeadline,
  MailboxConnectionService,
  MailboxFiguresService,
  type MailboxRecord,
  type TestMailResponse,
  toTestMail,
} from '@domain/mailboxes';
import { Injectable } from '@nestjs/common';
import { ClockPort } from '@platform/clock';
import { TransactionService } from '@platform/database';
import { conflict } from '@platform/errors';
import { addDays, getDay, startOfDay } from '@platform/time';
import { MailAttemptService } from '../pipeline/mail-attempt.service';
import { type OutboundMail, type OutboundMailSource } from '../pipeline/outbound-mail-source';

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

/** A message that is counted at its marker, as its claim, and not before. */
interface DirectMail extends OutboundMail {
  readonly mailbox: MailboxRecord;
  readonly message: ComposedMessage;
  readonly mark: (handle: SendHandle) => Promise<boolean>;
  /** Whether it is counted, or exceeded the limit. */
  count: 'none' | 'counted' | 'exceeded';
}

class HandoverWithheld extends Error {}
class DailyLimitReached extends Error {}

/**
 * Sends single messages at once: tests and reports. They count against the daily limit of the mailbox. A server’s reply
 * to one says little about the mailbox’s other mail, so it changes only the connection.
 */
@Injectable()
export class DirectMailService {
  readonly #source: OutboundMailSource<DirectMail, DirectMail> = {
    name: 'direct',
    isWarmup: false,
    listLeft: () => Promise.resolve([]),
    next: () => Promise.resolve({ kind: 'wait', nextAt: null, isPoll: true }),
    claim: (mail) => Promise.resolve(mail),
    compose: (_mailbox, mail) => Promise.resolve({ message: mail.message, mail }),
    allows: () => Promise.resolve(true),
    markSending: (mail, { draftId }) => this.#markSending(mail, { draftId }),
    settle: (_mailbox, mail, { verdict: { kind } }) =>
      // An ambiguous message may have been sent: it stays counted.
      kind === 'sent' || kind === 'ambiguous' ? Promise.resolve(true) : this.#uncount(mail),
    release: (mail) => this.#uncount(mail),
    settled: async ({ mailbox }, { handover: { outcome } }) => {
      await this.#recordOutcome(mailbox, outcome);
      return false;
    },
  };

  constructor(
    private readonly attempts: MailAttemptService,
    private readonly connections: MailboxConnectionService,
    private readonly figures: MailboxFiguresService,
    private readonly transactions: TransactionService,
    private readonly clock: ClockPort,
  ) {}

  /** Returns the limit that stops one more message today; null when there is none. */
  async findLimit(workspace: Workspace, mailbox: MailboxRecord): Promise<Limited | null> {
    const sent = await this.figures.sentToday(workspace, [mailbox]);
    const isLimitReached = (sent.get(mailbox._id.toHexString()) ?? 0) >= mailbox.dailySendLimit;
    return isLimitReached ? this.#toLimited(mailbox) : null;
  }

  /** Submits the message to the mailbox's server. A failure is a result; its effect on the connection is recorded. */
  async send(
    mailbox: MailboxRecord,
    message: ComposedMessage,
    { mark = () => Promise.resolve(true), ...limits }: DirectSend,
  ): Promise<SendOutcome | Limited> {
    const at = { id: message.messageId, attempt: 1, claimedAt: this.clock.now(), recipient: null };
    const mail: DirectMail = { ...at, mailbox, message, mark, count: 'none' };
    const outcome = await this.attempts.sendDirect(this.#source, mailbox, mail, limits);
    return mail.count === 'exceeded' ? this.#toLimited(mailbox) : outcome;
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
  async sendTest(mailbox: MailboxRecord, message: ComposedMessage): Promise<TestMailResponse> {
    const outcome = await this.send(mailbox, message, { deadline: createCheckDeadline() });
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
  async #markSending(mail: DirectMail, handle: SendHandle): Promise<boolean> {
    const { mailbox, claimedAt, mark } = mail;
    try {
      await this.transactions.run(async () => {
        const { sent, warmup = 0 } = await this.figures.count(...toFigures(mailbox), { sent: 1 }, claimedAt);
        if (sent + warmup > mailbox.dailySendLimit) throw new DailyLimitReached();
        if (!(await mark(handle))) throw new HandoverWithheld();
      });
    } catch (error) {
      if (!(error instanceof HandoverWithheld || error instanceof DailyLimitReached)) throw error;
      mail.count = error instanceof DailyLimitReached ? 'exceeded' : 'none';
      return false;
    }
    mail.count = 'counted';
    return true;
  }

  /** Joins the transaction of the outcome. */
  async #uncount({ mailbox, claimedAt, count }: DirectMail): Promise<true> {
    if (count === 'counted') await this.figures.countIfExists(...toFigures(mailbox), { sent: -1 }, claimedAt);
    return true;
  }

  #toLimited({ timezone }: MailboxRecord): Limited {
    const tomorrow = addDays(getDay(this.clock.now(), timezone), 1);
    return { kind: 'limited', until: startOfDay(tomorrow, timezone) };
  }
}

function toFigures({ workspaceId, _id }: MailboxRecord): [Workspace, string] {
  return [{ workspaceId: workspaceId.toHexString() }, _id.toHexString()];
}

function limitReached({ dailySendLimit }: MailboxRecord, { until }: Limited): Error {
  return conflict(
    `The daily limit of ${dailySendLimit} emails is used up; the mailbox’s next day begins at ${until.toISOString()}`,
  );
}
