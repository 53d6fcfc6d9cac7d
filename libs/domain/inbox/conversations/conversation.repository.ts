import { type SendRecord } from '@domain/sends';
import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import { rerunOnWriteConflict } from '@platform/database';
import { type Model, Types } from 'mongoose';
import { bareSubject } from '../match/bare-subject';
import { ConversationMessageRecord } from '../schemas/conversation-message.record';
import { ConversationRecord, type LabelAsk, type LabelSource, type ReplyLabel } from '../schemas/conversation.record';

/** Which conversation: a lead's, one that is known, that of a lead that is gone, or an untracked thread of a mailbox. */
export type ConversationKey =
  | { readonly leadId: Types.ObjectId; readonly campaignId: Types.ObjectId }
  | { readonly conversationId: Types.ObjectId }
  | { readonly threadKey: string; readonly former?: Former };

/** A lead that is gone, and the address that it had. */
type Former = Pick<SendRecord, 'leadId' | 'email'>;

/** Of the other side, for a conversation that begins. */
export interface Counterpart {
  readonly email: string;
  readonly name: string;
}

export type NewMessage = Omit<ConversationMessageRecord, '_id' | 'createdAt' | 'conversationId' | 'firstAttachment'>;

export interface NewLabel {
  readonly label: ReplyLabel;
  readonly by: LabelSource;
  readonly reason: string;
}

export interface AddedMessage {
  readonly conversation: ConversationRecord;
  readonly messageId: Types.ObjectId;
}

export interface Adding {
  /** Somebody has to look at it. */
  readonly unread: boolean;
  /** The provider's conversation. */
  readonly threadId: string | null;
  /** Whether a conversation may begin with it. */
  readonly mayBegin: boolean;
}

const PREVIEW = 200;

/** Writes conversations. All of it joins the running transaction. */
@Injectable()
export class ConversationRepository {
  constructor(
    @InjectModel(ConversationRecord.name) private readonly conversations: Model<ConversationRecord>,
    @InjectModel(ConversationMessageRecord.name) private readonly messages: Model<ConversationMessageRecord>,
  ) {}

  /**
   * Adds a message to its conversation, which begins with it if there is none yet.
   * @returns null when the conversation has this message already (a copy came to another mailbox), or when there is none
   *   and it must not begin with this
   */
  async add(
    key: ConversationKey,
    counterpart: Counterpart,
    message: NewMessage,
    { unread, threadId, mayBegin }: Adding,
  ): Promise<AddedMessage | null> {
    const { workspaceId } = message;
    const conversation = mayBegin ? await this.#open(key, counterpart, message) : await this.#known(key, message);
    if (!conversation) return null;
    const conversationId = conversation._id;
    // It counts what is in it, in the same transaction: one that has just begun knows nothing.
    const mayKnow = conversation.messageCount > 0 && message.messageId;
    const isKnown = mayKnow
      ? await this.messages.exists({ workspaceId, conversationId, messageId: message.messageId })
      : null;
    if (isKnown) return null;
    const isLast = message.at >= conversation.lastMessageAt;
    const received = message.direction === 'received';
    const latest = {
      lastMessageAt: message.at,
      lastDirection: message.direction,
      preview: message.text.replace(/\s+/g, ' ').trim().slice(0, PREVIEW).toWellFormed(),
    };
    const before = await this.conversations
      .findOneAndUpdate(
        { _id: conversationId, workspaceId },
        {
          $set: { ...(isLast ? latest : {}), ...(unread ? { unread: true } : {}) },
          ...(received ? { $max: { lastReceivedAt: message.at } } : {}),
          $inc: { messageCount: 1, attachmentCount: message.attachments.length },
          ...(threadId === null ? {} : { $addToSet: { threadIds: threadId } }),
        },
        { projection: { attachmentCount: 1 }, returnDocument: 'before' },
      )
      .lean<Pick<ConversationRecord, 'attachmentCount'>>();
    // The update holds the conversation until the transaction ends: nobody else gets these numbers.
    const firstAttachment = message.attachments.length > 0 ? { firstAttachment: before?.attachmentCount ?? 0 } : {};
    const [added] = await rerunOnWriteConflict(() =>
      this.messages.create([{ ...message, conversationId, ...firstAttachment }]),
    );
    return { conversation, messageId: added?._id ?? new Types.ObjectId() };
  }

  /**
   * Labels a conversation, unless a person has. False when nothing was changed.
   * @param ask what the language model is to say more about; whatever it was to say before is of no use any more
   */
  async label(
    { _id, workspaceId }: Pick<ConversationRecord, '_id' | 'workspaceId'>,
    { label, by, reason }: NewLabel,
    ask: LabelAsk | null,
  ): Promise<boolean> {
    const fields = { label, labelledBy: by, labelReason: reason };
    const { matchedCount } = await this.conversations.updateOne(
      { _id, workspaceId, labelledBy: { $ne: 'person' } },
      ask ? { $set: { ...fields, labelAsk: ask } } : { $set: fields, $unset: { labelAsk: 1 } },
    );
    return matchedCount === 1;
  }

  async #open(
    key: ConversationKey,
    { email, name }: Counterpart,
    message: NewMessage,
  ): Promise<ConversationRecord | null> {
    const isKnown = 'conversationId' in key || ('threadKey' in key && key.former !== undefined);
    const known = isKnown ? await this.#known(key, message) : null;
    if (known || 'conversationId' in key) return known;
    const { mailboxId, at, subject, direction } = message;
    const of =
      'leadId' in key
        ? { tracked: true, campaignId: key.campaignId, mailboxId }
        : { tracked: false, ...(key.former && { formerLeadId: key.former.leadId }) };
    const begun = { ...of, email, name, subject: bareSubject(subject), lastMessageAt: at, lastDirection: direction };
    return rerunOnWriteConflict(() =>
      this.conversations
        .findOneAndUpdate(whereOf(key, message), { $setOnInsert: begun }, { upsert: true, returnDocument: 'after' })
        .lean<ConversationRecord>(),
    );
  }

  async #known(key: ConversationKey, message: NewMessage): Promise<ConversationRecord | null> {
    const former = 'threadKey' in key ? key.former : undefined;
    const { workspaceId } = message;
    const theirs = former && {
      workspaceId,
      email: former.email,
      $or: [{ leadId: former.leadId }, { formerLeadId: former.leadId }],
    };
    return (
      (theirs && (await this.conversations.findOne(theirs).lean<ConversationRecord>())) ??
      (await this.conversations.findOne(whereOf(key, message)).lean<ConversationRecord>())
    );
  }
}

function whereOf(key: ConversationKey, { workspaceId, mailboxId }: NewMessage) {
  if ('conversationId' in key) return { workspaceId, _id: key.conversationId };
  return 'leadId' in key ? { workspaceId, leadId: key.leadId } : { workspaceId, mailboxId, threadKey: key.threadKey };
}
