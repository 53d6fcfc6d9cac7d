import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import { type Model, type Types } from 'mongoose';
import { NOT_OVER, type ReplyState } from '../replies/reply-states';
import { ConversationMessageRecord, type MessageKind } from '../schemas/conversation-message.record';
import { ConversationRecord } from '../schemas/conversation.record';
import { InboxReplyRecord } from '../schemas/inbox-reply.record';

type Id = Types.ObjectId;
type Named = Pick<ConversationRecord, '_id' | 'workspaceId'>;

/** A message as whoever answers it by itself sees it. */
export type ThreadMessage = Pick<
  ConversationMessageRecord,
  '_id' | 'direction' | 'kind' | 'at' | 'from' | 'replyTo' | 'subject' | 'text' | 'createdAt'
>;

const SHOWN = { direction: 1, kind: 1, at: 1, from: 1, replyTo: 1, subject: 1, text: 1, createdAt: 1 } as const;
/** Came to nothing: nobody was written to. */
const IN_VAIN: ReplyState[] = ['cancelled', 'failed'];

/** Conversations, for a higher domain that answers in them by itself. All of it joins a running transaction. */
@Injectable()
export class AnsweredThreadsRepository {
  constructor(
    @InjectModel(ConversationRecord.name) private readonly conversations: Model<ConversationRecord>,
    @InjectModel(ConversationMessageRecord.name) private readonly messages: Model<ConversationMessageRecord>,
    @InjectModel(InboxReplyRecord.name) private readonly replies: Model<InboxReplyRecord>,
  ) {}

  /** null when it is gone. */
  async find(workspaceId: Id, conversationId: Id): Promise<ConversationRecord | null> {
    return this.conversations.findOne({ _id: conversationId, workspaceId }).lean<ConversationRecord>();
  }

  /** What a person of the other side wrote last; null when none did. */
  async lastAnswer({ _id, workspaceId }: Named): Promise<ThreadMessage | null> {
    return this.messages
      .findOne({ workspaceId, conversationId: _id, kind: 'reply' }, SHOWN)
      .sort({ at: -1, _id: -1 })
      .lean<ThreadMessage>();
  }

  /** Whether a message of one of these kinds came after that one. */
  async hasNewer({ _id, workspaceId }: Named, { at }: Pick<ThreadMessage, 'at'>, kinds: readonly MessageKind[]) {
    const newer = { workspaceId, conversationId: _id, at: { $gt: at }, kind: { $in: [...kinds] } };
    return (await this.messages.exists(newer)) !== null;
  }

  /** Whether a person of the workspace has answered, or begun to, since that message was here: what is not sent yet comes after it. */
  async isAnsweredByHand({ _id, workspaceId }: Named, { createdAt }: Pick<ThreadMessage, 'createdAt'>) {
    const byHand = { workspaceId, conversationId: _id, agentReplyId: { $exists: false } };
    const since = { $gte: createdAt };
    const after = { $or: [{ createdAt: since }, { sentAt: since }, { state: { $in: NOT_OVER } }] };
    return (await this.replies.exists({ ...byHand, ...after, state: { $nin: IN_VAIN } })) !== null;
  }

  /** The latest messages, oldest first. */
  async latest({ _id, workspaceId }: Named, most: number): Promise<ThreadMessage[]> {
    const found = await this.messages
      .find({ workspaceId, conversationId: _id }, SHOWN)
      .sort({ at: -1, _id: -1 })
      .limit(most)
      .lean<ThreadMessage[]>();
    return found.toReversed();
  }
}
