import { InboxReplyRecord } from '@domain/inbox';
import { Injectable } from '@nestjs/common';
import { ClockPort } from '@platform/clock';
import { mailboxGate } from '../../decide/mailbox-gate';
import { withoutShare } from '../../decide/warmup-share';
import { SendSideEffectsService } from '../send-side-effects.service';
import { type SenderMailbox, type MailboxSenderCache } from '../mailbox-sender-cache';
import { MailboxReadBatchService } from '../batching/mailbox-read-batch.service';
import { decideOutcome, type Verdict } from '../outcome-decision';
import { ReplyClaimsService } from './reply-claims.service';
import { ReplyHandoversService } from './reply-handovers.service';
import { ReplyOutcomeService } from './reply-outcome.service';

/** What a mailbox does about replies now. */
export interface NextReply {
  /** The one to send; null when none is due, or nothing may be sent. */
  readonly reply: InboxReplyRecord | null;
  /** When the next one is due; null when none waits for its time alone. */
  readonly nextAt: Date | null;
}

/** An email that was taken from the budget, and what became of it. */
export interface Attempt {
  /** When it was claimed. */
  readonly at: Date;
  /** When it was given away: what has to lie between two emails counts from there. */
  readonly lastSentAt: Date;
  readonly verdict: Verdict;
  /** false when the turn was lost meanwhile. */
  readonly kept: boolean;
}

/**
 * The replies of a mailbox's turn: before anything of a campaign, since somebody waits for them, and under the mailbox's own
 * limits, of which nothing is kept for warmup; windows are the campaigns'.
 */
@Injectable()
export class ReplySendService {
  constructor(
    private readonly reads: MailboxReadBatchService,
    private readonly claims: ReplyClaimsService,
    private readonly handovers: ReplyHandoversService,
    private readonly outcomes: ReplyOutcomeService,
    private readonly aftermath: SendSideEffectsService,
    private readonly clock: ClockPort,
  ) {}

  async next({ record, facts }: SenderMailbox, memory: MailboxSenderCache, now: Date): Promise<NextReply> {
    const of = { workspaceId: record.workspaceId, mailboxId: record._id };
    for (;;) {
      const { dueAt } = (memory.replies ??= await this.reads.repliesOf(of));
      if (dueAt === null) return { reply: null, nextAt: null };
      if (dueAt > now) return { reply: null, nextAt: dueAt };
      const gate = mailboxGate(now, withoutShare(facts));
      if (gate.kind === 'wait') return { reply: null, nextAt: gate.nextEligibleAt };
      memory.replies = null;
      const reply = await this.claims.next(record, now);
      if (reply) return { reply, nextAt: null };
    }
  }

  /** @returns null when somebody else has changed the reply, or has the turn */
  async send(mailbox: SenderMailbox, reply: InboxReplyRecord, signal: AbortSignal): Promise<Attempt | null> {
    const at = this.clock.now();
    const claimed = await this.claims.claim(mailbox, reply, at);
    if (!claimed) return null;
    const handover = await this.handovers.give(mailbox, claimed, signal);
    const now = this.clock.now();
    const { attempt, email } = claimed;
    const verdict = decideOutcome(handover.outcome, {
      attempt,
      sendId: String(claimed._id),
      rest: mailbox.turn.cooldown,
      now,
    });
    const kept = await this.outcomes.write(mailbox, claimed, handover, verdict, now);
    await this.aftermath.followEmail(mailbox.record, handover.outcome, verdict, { email, sendId: null });
    return { at, lastSentAt: handover.wiredAt ?? at, verdict, kept };
  }
}
