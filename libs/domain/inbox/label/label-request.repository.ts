import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import { ClockPort } from '@platform/clock';
import { type Model } from 'mongoose';
import { ConversationMessageRecord } from '../schemas/conversation-message.record';
import { ConversationRecord, type LabelAsk, type ReplyLabel } from '../schemas/conversation.record';

// A type and not an interface: only a type literal fits the index signature of a job's payload.
/** Which answer of which conversation. */
export type AskLabel = { workspaceId: string; conversationId: string; messageId: string };

/** A conversation whose label the model is still to give, and the answer that it is about. */
export interface WaitingLabel {
  readonly conversation: ConversationRecord;
  readonly ask: LabelAsk;
  /** Undefined when it is no longer there. */
  readonly message: Pick<ConversationMessageRecord, 'text' | 'at'> | undefined;
}

const SWEPT = 1_000;

/**
 * Answers that wait for the model. Whatever is written here is written only as long as the conversation still waits for the
 * same answer: a newer one or a person's label ends that.
 */
@Injectable()
export class LabelRequestRepository {
  constructor(
    @InjectModel(ConversationRecord.name) private readonly conversations: Model<ConversationRecord>,
    @InjectModel(ConversationMessageRecord.name) private readonly messages: Model<ConversationMessageRecord>,
    private readonly clock: ClockPort,
  ) {}

  /** null when it does not wait any more, or not yet again. */
  async find({ workspaceId, conversationId, messageId }: AskLabel): Promise<WaitingLabel | null> {
    const conversation = await this.conversations
      .findOne({ _id: conversationId, workspaceId, 'labelAsk.messageId': messageId })
      .lean<ConversationRecord>();
    const ask = conversation?.labelAsk;
    if (!conversation || !ask || ask.dueAt > this.clock.now()) return null;
    const message = await this.messages
      .findOne({ _id: ask.messageId, workspaceId }, { text: 1, at: 1 })
      .lean<Pick<ConversationMessageRecord, 'text' | 'at'>>();
    return { conversation, ask, message: message ?? undefined };
  }

  /** Those whose turn has come, in all workspaces, the longest waiting first. */
  async due(): Promise<AskLabel[]> {
    const found = await this.conversations
      .find({ 'labelAsk.dueAt': { $lte: this.clock.now() } }, { workspaceId: 1, labelAsk: 1 })
      .setOptions({ allWorkspaces: 'a sweep' })
      .sort({ 'labelAsk.dueAt': 1 })
      .limit(SWEPT)
      .lean<Pick<ConversationRecord, '_id' | 'workspaceId' | 'labelAsk'>[]>();
    return found.flatMap(({ _id, workspaceId, labelAsk }) =>
      labelAsk
        ? [
            {
              workspaceId: workspaceId.toHexString(),
              conversationId: _id.toHexString(),
              messageId: labelAsk.messageId.toHexString(),
            },
          ]
        : [],
    );
  }

  /** The model's label, and the end of waiting. Joins the running transaction; false when it waits no more. */
  async settle({ conversation, ask }: WaitingLabel, label: ReplyLabel, reason: string): Promise<boolean> {
    const { matchedCount } = await this.conversations.updateOne(
      { ...stillWaiting(conversation, ask), labelledBy: { $ne: 'person' } },
      { $set: { label, labelledBy: 'llm', labelReason: reason }, $unset: { labelAsk: 1 } },
    );
    return matchedCount === 1;
  }

  /** To be asked again later. */
  async postpone({ conversation, ask }: WaitingLabel, dueAt: Date): Promise<void> {
    await this.conversations.updateOne(
      stillWaiting(conversation, ask),
      { $set: { 'labelAsk.dueAt': dueAt }, $inc: { 'labelAsk.attempts': 1 } },
      { timestamps: false },
    );
  }

  /** The label of the rules stays. */
  async giveUp({ conversation, ask }: WaitingLabel): Promise<void> {
    await this.conversations.updateOne(
      stillWaiting(conversation, ask),
      { $unset: { labelAsk: 1 } },
      { timestamps: false },
    );
  }
}

function stillWaiting({ _id, workspaceId }: ConversationRecord, { messageId }: LabelAsk) {
  return { _id, workspaceId, 'labelAsk.messageId': messageId };
}
