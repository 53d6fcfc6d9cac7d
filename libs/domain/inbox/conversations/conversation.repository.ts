import { SendReadRepository, type SendRecord, type SendState } from '@domain/sends';
import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import { parseId, rerunOnWriteConflict } from '@platform/database';
import { invalidField } from '@platform/errors';
import { type Model, Types } from 'mongoose';
import { stripReplyPrefixes } from '../match/bare-subject';
import { NOT_OVER, type ReplyState } from '../replies/reply-states';
import { ConversationMessageRecord, type MessageKind } from '../schemas/conversation-message.record';
import { ConversationRecord, type LabelAsk, type LabelSource, type ReplyLabel } from '../schemas/conversation.record';
import { InboxReplyRecord } from '../schemas/inbox-reply.record';

type Id = Types.ObjectId;
type ConversationRef = Pick<ConversationRecord, '_id' | 'workspaceId'>;

/** Selects a conversation: by lead, by id, by deleted lead, or by untracked thread of a mailbox. */
export type ConversationKey =
  | { readonly leadId: Id; readonly campaignId: Id }
  | { readonly conversationId: Id }
  | { readonly threadKey: string; readonly former?: FormerLead };

/** A deleted lead, and the address that it had. */
type FormerLead = Pick<SendRecord, 'leadId' | 'email'>;

/** The other side of a new conversation. */
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
  readonly messageId: Id;
}

export interface AddMessageOptions {
  /** Marks the conversation as unread. */
  readonly unread: boolean;
  /** The provider's thread id. */
  readonly threadId: string | null;
  /** Whether the message may begin a conversation. */
  readonly mayBegin: boolean;
}

/** A message as the writer of an automatic reply sees it. */
export type ThreadMessage = Pick<
  ConversationMessageRecord,
  '_id' | 'direction' | 'kind' | 'at' | 'from' | 'replyTo' | 'subject' | 'text' | 'createdAt'
>;

/** A page of a conversation. */
export interface ThreadPage {
  /** Oldest first. */
  readonly messages: readonly ConversationMessageRecord[];
  /** Emails of the campaign in the time of these messages, oldest first. */
  readonly emails: readonly SendRecord[];
  /** The first message of the page when earlier ones exist. */
  readonly earlier: Id | null;
}

/** A page ends before this message. */
type PageEnd = Pick<ConversationMessageRecord, '_id' | 'at'>;

const PREVIEW = 200;
/** Messages and characters of their texts per page. */
const MAX_PAGE_MESSAGES = 100;
const MAX_PAGE_CHARACTERS = 4_000_000;
/** Emails that have, or may have, arrived. */
const SENT: ReadonlySet<SendState> = new Set(['sent', 'sent_unconfirmed', 'ambiguous']);
/** Replies that never went out. */
const UNSENT: ReplyState[] = ['cancelled', 'failed'];
const THREAD_FIELDS = {
  direction: 1,
  kind: 1,
  at: 1,
  from: 1,
  replyTo: 1,
  subject: 1,
  text: 1,
  createdAt: 1,
} as const;

/** Conversations and their messages. Writes and single reads join a running transaction. */
@Injectable()
export class ConversationRepository {
  constructor(
    @InjectModel(ConversationRecord.name) private readonly conversations: Model<ConversationRecord>,
    @InjectModel(ConversationMessageRecord.name) private readonly messages: Model<ConversationMessageRecord>,
    @InjectModel(InboxReplyRecord.name) private readonly replies: Model<InboxReplyRecord>,
    private readonly sends: SendReadRepository,
  ) {}

  /**
   * Adds a message to its conversation, or begins one with it.
   * @returns null when the conversation has the message already (a copy arrived in another mailbox), or when none exists
   *   and the message must not begin one
   */
  async add(
    key: ConversationKey,
    counterpart: Counterpart,
    message: NewMessage,
    { unread, threadId, mayBegin }: AddMessageOptions,
  ): Promise<AddedMessage | null> {
    const { workspaceId } = message;
    const conversation = mayBegin ? await this.#open(key, counterpart, message) : await this.#findByKey(key, message);
    if (!conversation) return null;
    const conversationId = conversation._id;
    // The count is written in this transaction: a conversation that has just begun cannot have the message.
    const mayHaveIt = conversation.messageCount > 0 && message.messageId;
    const existing = mayHaveIt
      ? await this.messages.exists({ workspaceId, conversationId, messageId: message.messageId })
      : null;
    if (existing) return null;
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
    // The update locks the conversation until the transaction ends: no other message gets these attachment numbers.
    const firstAttachment = message.attachments.length > 0 ? { firstAttachment: before?.attachmentCount ?? 0 } : {};
    const [added] = await rerunOnWriteConflict(() =>
      this.messages.create([{ ...message, conversationId, ...firstAttachment }]),
    );
    return { conversation, messageId: added?._id ?? new Types.ObjectId() };
  }

  /**
   * Labels a conversation unless a person has labelled it. Returns false when nothing changed.
   * @param ask the request for the language model; it replaces an earlier one
   */
  async label(
    { _id, workspaceId }: ConversationRef,
    { label, by, reason }: NewLabel,
    ask: LabelAsk | null,
  ): Promise<boolean> {
    const fields = { label, labelledBy: by, labelReason: reason };
    const { matchedCount } = await this.conversations.updateOne(
      { _id, workspaceId, labelledBy: { $ne: 'person' } },
      ask ? { $set: { ...fields, labelRequest: ask } } : { $set: fields, $unset: { labelRequest: 1 } },
    );
    return matchedCount === 1;
  }

  async find(workspaceId: Id, conversationId: Id): Promise<ConversationRecord | null> {
    return this.conversations.findOne({ _id: conversationId, workspaceId }).lean<ConversationRecord>();
  }

  /** Returns the last message that a person of the other side wrote. */
  async lastAnswer({ _id, workspaceId }: ConversationRef): Promise<ThreadMessage | null> {
    return this.messages
      .findOne({ workspaceId, conversationId: _id, kind: 'reply' }, THREAD_FIELDS)
      .sort({ at: -1, _id: -1 })
      .lean<ThreadMessage>();
  }

  /** Whether a message of one of these kinds is newer. */
  async hasNewer(
    { _id, workspaceId }: ConversationRef,
    { at }: Pick<ThreadMessage, 'at'>,
    kinds: readonly MessageKind[],
  ): Promise<boolean> {
    const newer = { workspaceId, conversationId: _id, at: { $gt: at }, kind: { $in: [...kinds] } };
    return (await this.messages.exists(newer)) !== null;
  }

  /** Whether a member has replied since the message was stored. An unsent reply counts: it will follow the message. */
  async isAnsweredByHand(
    { _id, workspaceId }: ConversationRef,
    { createdAt }: Pick<ThreadMessage, 'createdAt'>,
  ): Promise<boolean> {
    const byHand = { workspaceId, conversationId: _id, agentReplyId: { $exists: false } };
    const since = { $gte: createdAt };
    const after = { $or: [{ createdAt: since }, { sentAt: since }, { state: { $in: NOT_OVER } }] };
    return (await this.replies.exists({ ...byHand, ...after, state: { $nin: UNSENT } })) !== null;
  }

  /** Lists the latest messages, oldest first. */
  async latest({ _id, workspaceId }: ConversationRef, limit: number): Promise<ThreadMessage[]> {
    const found = await this.messages
      .find({ workspaceId, conversationId: _id }, THREAD_FIELDS)
      .sort({ at: -1, _id: -1 })
      .limit(limit)
      .lean<ThreadMessage[]>();
    return found.toReversed();
  }

  /**
   * Counts tracked conversations with an unread positive reply, up to `limit`.
   * @param campaignIds restricts the count to these campaigns; null: the whole workspace
   */
  async countPositive(workspaceId: string, campaignIds: readonly Id[] | null, limit: number): Promise<number> {
    return this.conversations
      .countDocuments({
        workspaceId,
        tracked: true,
        unread: true,
        label: 'positive',
        ...(campaignIds && { campaignId: { $in: [...campaignIds] } }),
      })
      .limit(limit);
  }

  /**
   * Reads a page of the conversation, from the latest message backwards.
   * @throws VALIDATION_ERROR when `before` is no message of the conversation
   */
  async readThread(conversation: ConversationRecord, before?: string): Promise<ThreadPage> {
    const end = before === undefined ? null : await this.#findPageEnd(conversation, before);
    const { messages, earlier } = await this.#readMessages(conversation, end);
    const emails = await this.#listEmails(conversation);
    const from = earlier?.at ?? null;
    const ofThisTime = emails.filter((send) => {
      const at = getSendTime(send);
      return (from === null || at >= from) && (end === null || at < end.at);
    });
    return { messages, emails: ofThisTime, earlier: earlier?._id ?? null };
  }

  async #open(
    key: ConversationKey,
    { email, name }: Counterpart,
    message: NewMessage,
  ): Promise<ConversationRecord | null> {
    const mayExist = 'conversationId' in key || ('threadKey' in key && key.former !== undefined);
    const existing = mayExist ? await this.#findByKey(key, message) : null;
    if (existing || 'conversationId' in key) return existing;
    const { mailboxId, at, subject, direction } = message;
    const tracking =
      'leadId' in key
        ? { tracked: true, campaignId: key.campaignId, mailboxId }
        : { tracked: false, ...(key.former && { formerLeadId: key.former.leadId }) };
    const fields = {
      ...tracking,
      email,
      name,
      subject: stripReplyPrefixes(subject),
      lastMessageAt: at,
      lastDirection: direction,
    };
    return rerunOnWriteConflict(() =>
      this.conversations
        .findOneAndUpdate(toFilter(key, message), { $setOnInsert: fields }, { upsert: true, returnDocument: 'after' })
        .lean<ConversationRecord>(),
    );
  }

  async #findByKey(key: ConversationKey, message: NewMessage): Promise<ConversationRecord | null> {
    const former = 'threadKey' in key ? key.former : undefined;
    const { workspaceId } = message;
    const ofFormerLead = former && {
      workspaceId,
      email: former.email,
      $or: [{ leadId: former.leadId }, { formerLeadId: former.leadId }],
    };
    return (
      (ofFormerLead && (await this.conversations.findOne(ofFormerLead).lean<ConversationRecord>())) ??
      (await this.conversations.findOne(toFilter(key, message)).lean<ConversationRecord>())
    );
  }

  async #readMessages(
    { _id, workspaceId }: ConversationRecord,
    end: PageEnd | null,
  ): Promise<{ messages: ConversationMessageRecord[]; earlier: PageEnd | null }> {
    const messages: ConversationMessageRecord[] = [];
    let characters = 0;
    const latest = this.messages
      .find({ workspaceId, conversationId: _id, ...(end && toRangeBefore(end)) })
      .sort({ at: -1, _id: -1 })
      .lean<ConversationMessageRecord[]>()
      .cursor({ batchSize: 20 });
    for await (const message of latest as AsyncIterable<ConversationMessageRecord>) {
      characters += message.text.length + message.fullText.length + (message.html?.length ?? 0);
      const isFull = messages.length === MAX_PAGE_MESSAGES || (characters > MAX_PAGE_CHARACTERS && messages.length > 0);
      if (isFull) return { messages: messages.toReversed(), earlier: messages.at(-1) ?? null };
      messages.push(message);
    }
    return { messages: messages.toReversed(), earlier: null };
  }

  async #listEmails({ workspaceId, leadId }: ConversationRecord): Promise<SendRecord[]> {
    if (!leadId) return [];
    const sends = await this.sends.listHandedOver(workspaceId, [leadId]);
    return sends
      .filter(({ state }) => SENT.has(state))
      .toSorted((one, other) => getSendTime(one).getTime() - getSendTime(other).getTime());
  }

  async #findPageEnd({ _id, workspaceId }: ConversationRecord, before: string): Promise<PageEnd> {
    const messageId = parseId(before);
    const found =
      messageId &&
      (await this.messages.findOne({ _id: messageId, workspaceId, conversationId: _id }, { at: 1 }).lean<PageEnd>());
    if (!found) throw invalidField('before', 'before names no message of this conversation');
    return found;
  }
}

function toFilter(key: ConversationKey, { workspaceId, mailboxId }: NewMessage) {
  if ('conversationId' in key) return { workspaceId, _id: key.conversationId };
  return 'leadId' in key ? { workspaceId, leadId: key.leadId } : { workspaceId, mailboxId, threadKey: key.threadKey };
}

/** A range plus a tie-break: a bare `$or` would not use the order of the index. */
function toRangeBefore({ _id, at }: PageEnd): Record<string, unknown> {
  return { at: { $lte: at }, $or: [{ at: { $lt: at } }, { _id: { $lt: _id } }] };
}

function getSendTime({ sentAt, handoverAt, claimedAt }: SendRecord): Date {
  return sentAt ?? handoverAt ?? claimedAt;
}
