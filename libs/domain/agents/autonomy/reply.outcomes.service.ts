import { AutomaticReplies, type ReplyProgress } from '@domain/inbox';
import { Injectable } from '@nestjs/common';
import { Clock } from '@platform/clock';
import { Transactions } from '@platform/database';
import { type AgentReplyRecord } from '../schemas/agent-reply.record';
import { AgentReplyStore } from './agent-reply.store.service';
import { nextLookAt } from './decide/reply.times';
import { ReplyPlanning } from './reply.planning.service';

/** Finds out what became of replies that were handed over, and plans the follow-up to those that were sent. */
@Injectable()
export class ReplyOutcomes {
  constructor(
    private readonly store: AgentReplyStore,
    private readonly replies: AutomaticReplies,
    private readonly planning: ReplyPlanning,
    private readonly transactions: Transactions,
    private readonly clock: Clock,
  ) {}

  /** @returns the reply as it is then; null when somebody else has looked */
  async follow(reply: AgentReplyRecord): Promise<AgentReplyRecord | null> {
    const { workspaceId, replyId } = reply;
    const progress = replyId && (await this.replies.progress(workspaceId, [replyId])).get(replyId.toHexString());
    if (!progress) {
      return this.store.end(reply, { state: 'cancelled', cause: 'delivery', reason: 'Its conversation was erased' });
    }
    const { state, reason } = progress;
    if (state === 'sent' || state === 'sent_unconfirmed')
      return this.transactions.run(() => this.#sent(reply, progress));
    if (state === 'failed' || state === 'cancelled') {
      return this.store.end(reply, { state, cause: 'delivery', reason: reason ?? 'It was not sent' });
    }
    return this.store.change(reply, { dueAt: nextLookAt(reply.handedAt, this.clock.now()) });
  }

  async #sent(reply: AgentReplyRecord, { state, sentAt, reason }: ReplyProgress): Promise<AgentReplyRecord | null> {
    const at = sentAt ?? this.clock.now();
    const sent = await this.store.change(reply, { state: 'sent', cause: null, reason, sentAt: at, dueAt: null });
    // Nobody is reminded of what may never have arrived.
    if (sent && state === 'sent') await this.planning.planFollowup(sent, at);
    return sent;
  }
}
