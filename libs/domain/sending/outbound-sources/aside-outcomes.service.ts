import { MailboxLeaseService } from '@domain/sends';
import { Injectable } from '@nestjs/common';
import { TransactionService } from '@platform/database';
import { Types } from 'mongoose';
import { returnToken, takeToken } from '../decide/tokens';
import { type SenderMailbox } from '../pipeline/mailbox-sender-cache';
import { type MessageHandover } from '../pipeline/message-handover.service';
import { type Verdict } from '../pipeline/outcome-decision';
import { retryOnDatabaseUnavailable } from '../pipeline/retry-on-database-unavailable';
import { SentEmailService } from '../pipeline/sent-email.service';
import { MailboxLeaseLostError } from '../pipeline/mailbox-lease-lost.errors';
import {
  WARMUP_METRIC_SOURCE,
  type OutboundMail,
  type OutboundMailOutcome,
  type OutboundMailSource,
} from './outbound-mail-source';

interface Attempted {
  readonly handover: MessageHandover;
  readonly verdict: Verdict;
  /** When it was claimed. */
  readonly at: Date;
  /** When its server had answered. */
  readonly now: Date;
}

/** Writes what became of an attempt, and what of it is about the mailbox itself. */
@Injectable()
export class AsideOutcomesService {
  constructor(
    private readonly turns: MailboxLeaseService,
    private readonly emails: SentEmailService,
    private readonly transactions: TransactionService,
  ) {}

  /** Nothing is written when the turn was lost meanwhile: then whoever has it ends what is left. */
  async write<M extends OutboundMail>(
    mailbox: SenderMailbox,
    mail: M,
    work: OutboundMailSource<M>,
    attempted: Attempted,
  ): Promise<void> {
    try {
      await retryOnDatabaseUnavailable(() => this.transactions.run(() => this.#write(mailbox, mail, work, attempted)));
    } catch (error) {
      if (!(error instanceof MailboxLeaseLostError)) throw error;
    }
  }

  async #write<M extends OutboundMail>(
    mailbox: SenderMailbox,
    mail: M,
    work: OutboundMailSource<M>,
    { handover, verdict, at, now }: Attempted,
  ): Promise<void> {
    if (verdict.kind === 'release') {
      await work.release(mail, verdict.reason);
      return this.#giveBack(mailbox, verdict, at);
    }
    const settled = await work.settle(mail, outcomeOf(verdict, handover), handover.wiredAt ?? now);
    if (settled && verdict.kind === 'stop_mailbox') await this.#stop(mailbox, mail, verdict.reason);
  }

  /** Nothing was sent: everything is as before the claim. */
  async #giveBack(
    { turn, facts }: SenderMailbox,
    { rest }: Extract<Verdict, { kind: 'release' }>,
    at: Date,
  ): Promise<void> {
    if (rest && !(await this.turns.startCooldown(turn, rest))) throw new MailboxLeaseLostError();
    const tokens = returnToken({ ...facts, ...takeToken(facts, at, WARMUP_METRIC_SOURCE) }, at, WARMUP_METRIC_SOURCE);
    if (!(await this.turns.writeBudget(turn, tokens))) throw new MailboxLeaseLostError();
  }

  async #stop({ turn, record }: SenderMailbox, { id, attempt }: OutboundMail, reason: string): Promise<void> {
    await this.turns.stop(turn.workspaceId, turn.mailboxId, { code: 'REFUSED', message: reason });
    const { workspaceId, _id: mailboxId } = record;
    await this.emails.mailboxStopped({ _id: new Types.ObjectId(id), workspaceId, mailboxId, attempt }, reason);
  }
}

function outcomeOf(verdict: Exclude<Verdict, { kind: 'release' }>, { outcome }: MessageHandover): OutboundMailOutcome {
  switch (verdict.kind) {
    case 'sent':
      return { kind: 'sent' };
    case 'retry':
      return { kind: 'deferred', reason: verdict.reason, dueAt: verdict.at };
    case 'stop_mailbox':
      return { kind: 'blocked', reason: verdict.reason };
    case 'bounced':
      return { kind: 'refused', reason: verdict.reason, words: wordsOf(outcome) };
    case 'failed':
      return outcome.kind === 'permanent'
        ? { kind: 'refused', reason: verdict.reason, words: wordsOf(outcome) }
        : { kind: 'failed', reason: verdict.reason };
    case 'ambiguous':
      return { kind: 'ambiguous', reason: verdict.reason };
  }
}

function wordsOf(outcome: MessageHandover['outcome']) {
  return 'words' in outcome ? outcome.words : null;
}
