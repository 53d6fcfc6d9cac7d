import { InboxRepliesService, InboxReplyRecord, type ReplyResponse } from '@domain/inbox';
import { type Model, Types } from 'mongoose';
import { type SendingFixture } from './sending-fixture';

interface Fields {
  readonly mailboxId: string;
  readonly email: string;
}

/** Conversations of a fixture and their replies. */
export class QueuedReplies {
  #serial = 0;

  constructor(private readonly engine: SendingFixture) {}

  /** A person has written to a mailbox. */
  async conversation({ mailboxId, email }: Fields): Promise<string> {
    const workspaceId = new Types.ObjectId(this.engine.workspaceId);
    const at = this.engine.clock.now();
    const _id = new Types.ObjectId();
    this.#serial += 1;
    const messageId = `<answer-${this.#serial}@elsewhere.test>`;
    const of = { workspaceId, mailboxId: new Types.ObjectId(mailboxId) };
    const fields = {
      tracked: false,
      email,
      subject: 'Your roadmap',
      lastMessageAt: at,
      lastDirection: 'received',
      messageCount: 1,
    };
    await this.#model('ConversationRecord').create({ _id, ...of, ...fields, threadKey: messageId });
    await this.#model('ConversationMessageRecord').create({
      ...of,
      conversationId: _id,
      direction: 'received',
      kind: 'reply',
      at,
      messageId,
      references: ['<first@senders.test>'],
      from: { name: 'Ada', address: email },
      subject: 'Re: Your roadmap',
      text: 'Yes?',
    });
    return _id.toHexString();
  }

  /** A user replies to a person who has written to the mailbox. */
  async queued(mailboxId: string, email: string, body = '<p>Gladly</p>'): Promise<ReplyResponse> {
    const conversationId = await this.conversation({ mailboxId, email });
    return this.engine.get(InboxRepliesService).create(this.engine.workspace, conversationId, { body });
  }

  async of({ _id }: Pick<ReplyResponse, '_id'>): Promise<InboxReplyRecord> {
    const { workspaceId } = this.engine;
    return this.engine
      .model<InboxReplyRecord>(InboxReplyRecord)
      .findOne({ _id, workspaceId })
      .orFail()
      .lean<InboxReplyRecord>();
  }

  async stateOf(reply: Pick<ReplyResponse, '_id'>): Promise<string> {
    return (await this.of(reply)).state;
  }

  /** The outgoing messages of its conversation. */
  async messages({ conversationId }: Pick<ReplyResponse, 'conversationId'>): Promise<Record<string, unknown>[]> {
    const { workspaceId } = this.engine;
    return this.#model('ConversationMessageRecord')
      .find({ workspaceId, conversationId, direction: 'sent' })
      .lean<Record<string, unknown>[]>();
  }

  #model(name: string): Model<Record<string, unknown>> {
    return this.engine.model<Record<string, unknown>>({ name });
  }
}
