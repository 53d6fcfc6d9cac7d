import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import { ClockPort } from '@platform/clock';
import { type Model } from 'mongoose';
import { ConversationMessageRecord } from '../schemas/conversation-message.record';
import { ConversationRecord, type LabelAsk, type ReplyLabel } from '../schemas/conversation.record';

// A type and not an interface: only a type literal fits the index signature of a job's payload.
/** Identifies a reply that waits for a label. */
export type AskLabel = { workspaceId: string; conversationId: string; messageId: string };

/** A conversation that waits for a label of the model, with the reply to label. */
export interface WaitingLabel {
  readonly conversation: ConversationRecord;
  readonly ask: LabelAsk;
  /** Undefined when it was erased. */
  readonly message: Pick<ConversationMessageRecord, 'text' | 'at'> | undefined;
}

const SWEEP_LIMIT = 1_000;

/**
 * Requests for labels of the model. Each write requires that the conversation still waits for the same reply: a newer reply or
 * a person's label ends the wait.
 */
@Injectable()
export class LabelRequestRepository {
  constructor(
    @InjectModel(ConversationRecord.name) private readonly conversations: Model<ConversationRecord>,
    @InjectModel(ConversationMessageRecord.name) private readonly messages: Model<ConversationMessageRecord>,
    private readonly clock: ClockPort,
  ) {}

  /** Returns null when the reply no longer waits or its retry is not due. */
  async find({ workspaceId, conversationId, messageId }: AskLabel): Promise<WaitingLabel | null> {
    const conversation = await this.conversations
      .findOne({ _id: conversationId, workspaceId, 'labelRequest.messageId': messageId })
      .lean<ConversationRecord>();
    const ask = conversation?.labelRequest;
    if (!conversation || !ask || ask.dueAt > this.clock.now()) return null;
    const message = await this.messages
      .findOne({ _id: ask.messageId, workspaceId }, { text: 1, at: 1 })
      .lean<Pick<ConversationMessageRecord, 'text' | 'at'>>();
    return { conversation, ask, message: message ?? undefined };
  }

  /** Lists due requests of all workspaces, the longest due first. */
  async due(): Promise<AskLabel[]> {
    const found = await this.conversations
      .find({ 'labelRequest.dueAt': { $lte: this.clock.now() } }, { workspaceId: 1, labelRequest: 1 })
      .setOptions({ allWorkspaces: 'a sweep' })
      .sort({ 'labelRequest.dueAt': 1 })
      .limit(SWEEP_LIMIT)
      .lean<Pick<ConversationRecord, '_id' | 'workspaceId' | 'labelRequest'>[]>();
    return found.flatMap(({ _id, workspaceId, labelRequest }) =>
      labelRequest
        ? [
            {
              workspaceId: workspaceId.toHexString(),
              conversationId: _id.toHexString(),
              messageId: labelRequest.messageId.toHexString(),
            },
          ]
        : [],
    );
  }

  /** Writes the model's label; joins the running transaction. Returns false when the reply no longer waits. */
  async settle({ conversation, ask }: WaitingLabel, label: ReplyLabel, reason: string): Promise<boolean> {
    const { matchedCount } = await this.conversations.updateOne(
      { ...toWaitingFilter(conversation, ask), labelledBy: { $ne: 'person' } },
      { $set: { label, labelledBy: 'llm', labelReason: reason }, $unset: { labelRequest: 1 } },
    );
    return matchedCount === 1;
  }

  /** Schedules another attempt. */
  async postpone({ conversation, ask }: WaitingLabel, dueAt: Date): Promise<void> {
    await this.conversations.updateOne(
      toWaitingFilter(conversation, ask),
      { $set: { 'labelRequest.dueAt': dueAt }, $inc: { 'labelRequest.attempts': 1 } },
      { timestamps: false },
    );
  }

  /** Ends the wait; the label of the rules stays. */
  async giveUp({ conversation, ask }: WaitingLabel): Promise<void> {
    await this.conversations.updateOne(
      toWaitingFilter(conversation, ask),
      { $unset: { labelRequest: 1 } },
      { timestamps: false },
    );
  }
}

function toWaitingFilter({ _id, workspaceId }: ConversationRecord, { messageId }: LabelAsk) {
  return { _id, workspaceId, 'labelRequest.messageId': messageId };
}
