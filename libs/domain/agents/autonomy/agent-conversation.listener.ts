import {
  ConversationRepository,
  CONVERSATION_HOOKS,
  type ConversationMove,
  type ConversationRecord,
  type ConversationHooks,
} from '@domain/inbox';
import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import { isDatabaseUnavailable } from '@platform/database';
import { conflict } from '@platform/errors';
import { Listens } from '@platform/hooks';
import { LogService } from '@platform/observability';
import { type Model, mongo } from 'mongoose';
import { AgentRepository } from '../agent.repository';
import { AgentReplyRecord } from '../schemas/agent-reply.record';
import { AgentTextRecord } from '../schemas/agent-text.record';
import { AgentRepliesService } from './agent-replies.service';
import { AgentReplyPlanningService } from './agent-reply-planning.service';
import { type ReplyReason } from './agent-reply-states';
import { AgentReplyRepository, isCancellable } from './agent-reply.repository';
import { isChosen } from './decide/reply-eligibility';

type Named = Pick<ConversationRecord, '_id' | 'workspaceId'>;

type Received = Extract<ConversationMove, { kind: 'received' }>['message'];

const NEWER: ReplyReason = { cause: 'newer', reason: 'The other side has written again' };

const OTHER_MAIL: ReplyReason = { cause: 'newer', reason: 'Other mail has come since' };

const BY_HAND: ReplyReason = { cause: 'answered', reason: 'A person answers' };

const RELABELLED: ReplyReason = { cause: 'label', reason: 'The label of the conversation has changed' };

/** Plans and withdraws replies of agents when a conversation changes, in the transaction of the change. */
@Injectable()
@Listens(CONVERSATION_HOOKS)
export class AgentConversationListener implements ConversationHooks {
  constructor(
    @InjectModel(AgentTextRecord.name) private readonly textRecords: Model<AgentTextRecord>,
    @InjectModel(AgentReplyRecord.name) private readonly replyRecords: Model<AgentReplyRecord>,
    private readonly threads: ConversationRepository,
    private readonly agents: AgentRepository,
    private readonly repository: AgentReplyRepository,
    private readonly planning: AgentReplyPlanningService,
    private readonly replies: AgentRepliesService,
    private readonly log: LogService,
  ) {}

  async conversationChanged(conversation: Named, move: ConversationMove): Promise<void> {
    switch (move.kind) {
      case 'written':
        return this.#written(conversation);
      case 'labelled':
        await this.#labelled(conversation);
        return this.#plan(conversation, false);
      case 'received':
        return this.#received(conversation, move.message);
    }
  }

  async erased({ _id: conversationId, workspaceId }: Pick<ConversationRecord, '_id' | 'workspaceId'>): Promise<void> {
    // First the replies: a text is recorded only while its reply exists.
    await this.replyRecords.deleteMany({ workspaceId, conversationId });
    await this.textRecords.deleteMany({ workspaceId, conversationId });
  }

  /** @throws CONFLICT while the agent's reply is being submitted: both would arrive */
  async #written({ _id, workspaceId }: Named): Promise<void> {
    const sending = await this.replies.withdraw({ workspaceId, conversationId: _id }, BY_HAND);
    if (sending > 0) {
      throw conflict('A reply of an agent is being submitted at this moment: read the conversation again first');
    }
  }

  async #received(conversation: Named, message: Received): Promise<void> {
    const { _id: conversationId, workspaceId } = conversation;
    // Most mail concerns no reply of an agent, so one query avoids further work.
    const isUnderWay = (await this.repository.listOpen(workspaceId, conversationId)).length > 0;
    if (isUnderWay) await this.#ended(conversation, message);
    if (message === 'reply') await this.#plan(conversation, true);
  }

  async #ended(conversation: Named, message: Received): Promise<void> {
    const { _id: conversationId, workspaceId } = conversation;
    const of = { workspaceId, conversationId };
    if (message === 'bounce' || message === 'complaint') await this.replies.withdraw(of, OTHER_MAIL);
    // An automatic reply is no answer, but it ends follow-ups.
    if (message === 'auto_reply') await this.replies.withdraw({ ...of, position: { $gt: 0 } }, OTHER_MAIL);
    if (message !== 'reply') return;
    const last = await this.threads.lastAnswer(conversation);
    // A late, older message does not replace a reply to a newer one; but it ends follow-ups.
    await this.replies.withdraw({ ...of, $or: [{ answeredId: { $ne: last?._id } }, { position: { $gt: 0 } }] }, NEWER);
    await this.#labelled(conversation);
  }

  /**
   * An error of planning must not keep a message or a label from being stored. Database errors roll the change back.
   */
  async #plan(conversation: Named, isNew: boolean): Promise<void> {
    try {
      await this.planning.plan(conversation, isNew);
    } catch (error) {
      if (error instanceof mongo.MongoError || isDatabaseUnavailable(error)) throw error;
      this.log.error('The reply of an agent could not be planned', error, {
        workspaceId: conversation.workspaceId.toHexString(),
        conversationId: conversation._id.toHexString(),
      });
    }
  }

  /**
   * A reply that was planned for another label continues if the agent answers the new label, too; otherwise it is
   * withdrawn.
   */
  async #labelled(conversation: Named): Promise<void> {
    const { _id: conversationId, workspaceId } = conversation;
    const label = (await this.threads.find(workspaceId, conversationId))?.label ?? null;
    for (const reply of await this.repository.listOpen(workspaceId, conversationId)) {
      if (reply.label === label) continue;
      const goesOn = reply.position === 0 && label !== null && (await this.#answers(reply, label));
      if (goesOn) await this.repository.change(reply, { label });
      else await this.replies.withdraw({ workspaceId, _id: reply._id }, RELABELLED);
    }
  }

  async #answers(reply: AgentReplyRecord, label: NonNullable<ConversationRecord['label']>): Promise<boolean> {
    const agent = await this.agents.peek(reply.workspaceId, reply.agentId);
    return isCancellable(reply.state) && agent !== null && isChosen(label, agent.autonomousMode.labels);
  }
}
