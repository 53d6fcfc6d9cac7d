import { InboxRepliesService, type ReplyProgress } from '@domain/inbox';
import { Injectable } from '@nestjs/common';
import { ClockPort } from '@platform/clock';
import { TransactionService } from '@platform/database';
import { type SendingSchedule } from '@platform/time';
import { type AgentReplyRecord } from '../schemas/agent-reply.record';
import { AgentReplyRepository } from './agent-reply.repository';
import { nextCheckAt, workingFrom } from './decide/reply-schedule';
import { AgentReplyPlanningService } from './agent-reply-planning.service';
import { ReplyWithdrawalService } from './reply-withdrawal.service';
import { AgentReplyEligibilityService } from './agent-reply-eligibility.service';

/** The inbox has it, and no turn does. */
const WAITS: ReadonlySet<string> = new Set(['queued', 'retry']);
const CLOSED = 'The agent does not work at this time';

/**
 * Finds out what became of replies that were handed over, and plans the follow-up to those that were sent. What still waits for its
 * mailbox is looked at again: the agent may have stopped working for the day, and whoever forbade it may have died before taking it back.
 */
@Injectable()
export class ReplyOutcomesService {
  constructor(
    private readonly store: AgentReplyRepository,
    private readonly replies: InboxRepliesService,
    private readonly planning: AgentReplyPlanningService,
    private readonly facts: AgentReplyEligibilityService,
    private readonly withdrawal: ReplyWithdrawalService,
    private readonly transactions: TransactionService,
    private readonly clock: ClockPort,
  ) {}

  /** @returns the reply as it is then; null when somebody else has looked */
  async track(reply: AgentReplyRecord): Promise<AgentReplyRecord | null> {
    const { workspaceId, replyId } = reply;
    const progress = replyId && (await this.replies.progress(workspaceId, [replyId])).get(replyId.toHexString());
    if (!progress) {
      return this.store.complete(reply, {
        state: 'cancelled',
        cause: 'delivery',
        reason: 'Its conversation was erased',
      });
    }
    const { state, reason } = progress;
    if (state === 'sent' || state === 'sent_unconfirmed')
      return this.transactions.run(() => this.#sent(reply, progress));
    if (state === 'failed' || state === 'cancelled') {
      return this.store.complete(reply, { state, cause: 'delivery', reason: reason ?? 'It was not sent' });
    }
    return WAITS.has(state) ? this.#waits(reply) : this.store.change(reply, { dueAt: this.#nextLook(reply) });
  }

  async #waits(reply: AgentReplyRecord): Promise<AgentReplyRecord | null> {
    const { _id, workspaceId, replyId } = reply;
    // Only as it was seen: it may have been begun anew meanwhile.
    const seen = { workspaceId, _id, replyId };
    const { standing, agent } = await this.facts.evaluate(reply);
    const hours = agent?.autonomousMode.workingHours ?? null;
    const now = this.clock.now();
    const works = workingFrom(now, hours);
    // It counts itself among those of its thread.
    if (standing.may === 'never' && standing.cause !== 'thread_limit') {
      await this.withdrawal.withdraw(seen, { cause: standing.cause, reason: standing.reason });
    } else if (!works || works > now) {
      await this.withdrawal.recall(seen, { reason: CLOSED, dueAt: works ?? reply.expiresAt });
    } else {
      return this.store.change(reply, { dueAt: this.#nextLook(reply, hours) });
    }
    const found = await this.store.find(workspaceId, _id);
    // A turn took it in this moment: it is with its server, or comes back.
    return found?.state === 'handed' ? this.store.change(found, { dueAt: this.#nextLook(found) }) : found;
  }

  #nextLook({ handedAt }: AgentReplyRecord, hours: SendingSchedule | null = null): Date {
    return nextCheckAt(handedAt, this.clock.now(), hours);
  }

  async #sent(reply: AgentReplyRecord, { state, sentAt, reason }: ReplyProgress): Promise<AgentReplyRecord | null> {
    const at = sentAt ?? this.clock.now();
    const sent = await this.store.change(reply, { state: 'sent', cause: null, reason, sentAt: at, dueAt: null });
    // Nobody is reminded of what may never have arrived.
    if (sent && state === 'sent') await this.planning.planFollowup(sent, at);
    return sent;
  }
}
