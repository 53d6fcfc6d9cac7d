import { type MailboxRecord } from '@domain/mailboxes';
import { MailboxLeaseService } from '@domain/sends';
import { Injectable } from '@nestjs/common';
import { ClockPort } from '@platform/clock';
import { TransactionService } from '@platform/database';
import { returnToken, takeToken } from '../decide/tokens';
import { SendSideEffectsService } from '../pipeline/send-side-effects.service';
import { type SenderMailbox } from '../pipeline/mailbox-sender-cache';
import { MailboxReadBatchService } from '../pipeline/batching/mailbox-read-batch.service';
import { type MessageHandover, MessageHandoverService, notMade } from '../pipeline/message-handover.service';
import { decideOutcome, type Verdict } from '../pipeline/outcome-decision';
import { MailboxLeaseLostError } from '../pipeline/mailbox-lease-lost.errors';
import { isLate } from '../pipeline/mailbox-send-pace';
import { maySend } from '../pipeline/send-guard.service';
import { AsideOutcomesService } from './aside-outcomes.service';
import { WARMUP_METRIC_SOURCE, type OutboundMail, type OutboundMailSource } from './outbound-mail-source';

/** Something changed since the mail was read: nothing was written. */
class ClaimLost extends Error {}

/** A mail that was tried. */
export interface Tried {
  readonly verdict: Verdict;
  /** When it was given away: the mailbox's gap counts from there. */
  readonly lastSentAt: Date;
}

/** One mail in a mailbox's turn: taken together with its share of the budget, given away, and judged. */
@Injectable()
export class OutboundSourceAttemptService {
  constructor(
    private readonly turns: MailboxLeaseService,
    private readonly reads: MailboxReadBatchService,
    private readonly handovers: MessageHandoverService,
    private readonly outcomes: AsideOutcomesService,
    private readonly aftermath: SendSideEffectsService,
    private readonly transactions: TransactionService,
    private readonly clock: ClockPort,
  ) {}

  /**
   * Releases what an earlier turn had claimed when its worker died.
   * @returns the mailbox with what it has used without it
   */
  async recover<M extends OutboundMail>(mailbox: SenderMailbox, work: OutboundMailSource<M>): Promise<SenderMailbox> {
    let found = mailbox;
    for (const mail of await work.left(mailbox.record)) found = await this.#withoutIt(found, mail, work);
    return found;
  }

  /** @returns null when somebody else has changed the mail, or has the turn */
  async send<M extends OutboundMail>(
    mailbox: SenderMailbox,
    mail: M,
    work: OutboundMailSource<M>,
    signal: AbortSignal,
  ): Promise<Tried | null> {
    const at = this.clock.now();
    const claimed = await this.#claim(mailbox, mail, work, at);
    if (!claimed) return null;
    const handover = await this.#give(mailbox, claimed, work, { at, signal });
    // From the answer of the server to the outcome nothing comes in between that could fail.
    const now = this.clock.now();
    const { turn, record } = mailbox;
    const { id: sendId, attempt } = claimed;
    const verdict = decideOutcome(handover.outcome, { attempt, sendId, rest: turn.cooldown, now });
    await this.outcomes.write(mailbox, claimed, work, { handover, verdict, at, now });
    await this.aftermath.followConnection(record, handover.outcome, verdict);
    // The server has dealt with a mail of the mailbox: whatever it had against the mailbox itself is over.
    if (verdict.kind !== 'release' && turn.cooldown !== null) await this.turns.startCooldown(turn, null);
    return { verdict, lastSentAt: handover.wiredAt ?? at };
  }

  async #withoutIt<M extends OutboundMail>(
    mailbox: SenderMailbox,
    mail: M,
    work: OutboundMailSource<M>,
  ): Promise<SenderMailbox> {
    const { turn, facts } = mailbox;
    const tokens = mail.claimedAt ? returnToken(facts, mail.claimedAt, WARMUP_METRIC_SOURCE) : null;
    const isReleased = await this.transactions.run(async () => {
      if (!(await work.release(mail, 'The turn that had it ended early'))) return false;
      if (tokens && !(await this.turns.writeBudget(turn, tokens))) throw new MailboxLeaseLostError();
      return true;
    });
    return isReleased ? { ...mailbox, facts: { ...facts, ...tokens } } : mailbox;
  }

  async #claim<M extends OutboundMail>(
    { turn, facts }: SenderMailbox,
    mail: M,
    work: OutboundMailSource<M>,
    at: Date,
  ): Promise<M | null> {
    try {
      return await this.transactions.run(async () => {
        const claimed = await work.claim(mail, turn.fence, at);
        if (!claimed) throw new ClaimLost();
        if (!(await this.turns.writeBudget(turn, takeToken(facts, at, WARMUP_METRIC_SOURCE), { unlessStopped: true })))
          throw new ClaimLost();
        return claimed;
      });
    } catch (error) {
      if (error instanceof ClaimLost) return null;
      throw error;
    }
  }

  async #give<M extends OutboundMail>(
    { turn, record, facts }: SenderMailbox,
    mail: M,
    work: OutboundMailSource<M>,
    { at, signal }: { at: Date; signal: AbortSignal },
  ): Promise<MessageHandover> {
    const made = await work.message(record, mail).catch(notMade);
    if ('kind' in made) return { outcome: made, wiredAt: null, draftId: null };
    const mark = async () => {
      const now = this.clock.now();
      if (isLate(at, now)) {
        const isHeld = await this.turns.writeBudget(turn, {
          ...takeToken(facts, at, WARMUP_METRIC_SOURCE),
          lastSentAt: now,
        });
        if (!isHeld) return null;
      }
      if (!(await this.#maySend(record))) return null;
      const wiredAt = this.clock.now();
      return (await work.toWire(mail, wiredAt)) ? wiredAt : null;
    };
    return this.handovers.give(record, made, { mark, signal });
  }

  /** Whatever forbids it writes that first and then takes the mail back: either this look sees it, or the claim is gone. */
  async #maySend({ workspaceId, _id: mailboxId }: MailboxRecord): Promise<boolean> {
    const mailbox = await this.reads.mailbox({ workspaceId, mailboxId });
    return mailbox !== null && maySend(mailbox, this.clock.now());
  }
}
