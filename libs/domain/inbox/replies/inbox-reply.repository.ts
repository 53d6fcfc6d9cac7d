import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import { type Model, type Types } from 'mongoose';
import { ConversationRepository } from '../conversations/conversation.repository';
import { sanitiseHtml } from '../text/sanitise-html';
import { ConversationMessageRecord } from '../schemas/conversation-message.record';
import { InboxReplyRecord } from '../schemas/inbox-reply.record';
import { toReplyFields, type ReplyLease, type ReplyOutcome, type ReplySent } from './reply-outcome';
import { IN_FLIGHT, mayReplyBecome, OPEN, type ReplyState, WAITING } from './reply-states';

type Id = Types.ObjectId;
type Named = Pick<InboxReplyRecord, '_id' | 'workspaceId'>;

/** The replies that a mailbox has to send. */
export interface OpenReplies {
  /** When the first waiting reply is due; null when none waits. */
  readonly dueAt: Date | null;
  /** Whether a worker has claimed one; it may have crashed since. */
  readonly inFlight: boolean;
}

export const NO_REPLIES: OpenReplies = { dueAt: null, inFlight: false };

const WORKER = 'the worker resolves the replies of all workspaces';
/** Characters of a text that are stored for display. */
const MAX_FULL_TEXT = 64_000;
const RESTORED =
  'The database was restored from a backup in which this reply was not sent yet: it may have been sent since. Check the mailbox before you write it again';

/**
 * The send states of replies. Each write is guarded by the state that it leaves and, under a mailbox lease, by the fence: of
 * two concurrent writes one changes nothing and returns so.
 */
@Injectable()
export class InboxReplyRepository {
  constructor(
    @InjectModel(InboxReplyRecord.name) private readonly replies: Model<InboxReplyRecord>,
    @InjectModel(ConversationMessageRecord.name) private readonly messages: Model<ConversationMessageRecord>,
    private readonly conversations: ConversationRepository,
  ) {}

  /** Returns the open replies by id of the mailbox; mailboxes without any are missing. */
  async openOf(workspaceId: Id, mailboxIds: readonly Id[]): Promise<Map<string, OpenReplies>> {
    const found = await this.replies
      .find(
        { workspaceId, mailboxId: { $in: [...mailboxIds] }, state: { $in: OPEN } },
        { mailboxId: 1, state: 1, dueAt: 1 },
      )
      .lean<Pick<InboxReplyRecord, 'mailboxId' | 'state' | 'dueAt'>[]>();
    const open = new Map<string, OpenReplies>();
    for (const { mailboxId, state, dueAt } of found) {
      const key = mailboxId.toHexString();
      const before = open.get(key) ?? NO_REPLIES;
      const isInFlight = IN_FLIGHT.some((one) => one === state);
      const isFirst = !isInFlight && (before.dueAt === null || dueAt < before.dueAt);
      open.set(key, { dueAt: isFirst ? dueAt : before.dueAt, inFlight: before.inFlight || isInFlight });
    }
    return open;
  }

  /** Returns the reply of a mailbox that has been due longest, or null. Cancels withdrawn replies that it meets. */
  async next(workspaceId: Id, mailboxId: Id, now: Date): Promise<InboxReplyRecord | null> {
    for (;;) {
      const reply = await this.replies
        .findOne({ workspaceId, mailboxId, state: { $in: WAITING }, dueAt: { $lte: now } })
        .sort({ dueAt: 1, _id: 1 })
        .lean<InboxReplyRecord>();
      if (!reply?.withdrawn) return reply;
      await this.cancel(reply, reply.withdrawn);
    }
  }

  /** Lists claimed replies: at the start of a lease, those that a crashed worker left. */
  async inFlightOf(workspaceId: Id, mailboxId: Id): Promise<InboxReplyRecord[]> {
    return this.replies.find({ workspaceId, mailboxId, state: { $in: IN_FLIGHT } }).lean<InboxReplyRecord[]>();
  }

  /** Claims a waiting reply; joins the running transaction. Returns null when it has changed meanwhile. */
  async claim(reply: InboxReplyRecord, fence: number, at: Date): Promise<InboxReplyRecord | null> {
    const { _id, workspaceId, state, fence: before } = reply;
    const claimed = { state: 'claimed', fence, claimedAt: at, handoverAt: null, draftId: null, reason: null } as const;
    return this.replies
      .findOneAndUpdate(
        { _id, workspaceId, state, fence: before, withdrawn: null },
        { $set: claimed, $inc: { attempt: 1 } },
        { returnDocument: 'after' },
      )
      .lean<InboxReplyRecord>();
  }

  /** Marks the reply right before its handover. Returns false when it was withheld or the lease was lost. */
  async markSending(reply: ReplyLease, { draftId, at }: { draftId: string | null; at: Date }): Promise<boolean> {
    return this.#move(reply, 'claimed', { state: 'sending', draftId, handoverAt: at });
  }

  /**
   * Writes the outcome of a reply under this lease; joins the running transaction. Returns false, and writes nothing, when it
   * has left the state `from` or belongs to another lease.
   */
  async settle(reply: ReplyLease, from: ReplyState, outcome: ReplyOutcome): Promise<boolean> {
    const fields = toReplyFields(from, outcome);
    if (await this.#move(reply, from, fields)) return true;
    // The server's answer is proof, also when the resolution of the reply has begun meanwhile.
    return from === 'sending' && mayReplyBecome('ambiguous', outcome.state) && this.#move(reply, 'ambiguous', fields);
  }

  /**
   * Marks a reply as sent and adds it to its conversation. Joins the running transaction.
   * @param states the states that it may leave; acceptance by the server is proof also during a resolution
   */
  async markSent(reply: InboxReplyRecord, states: readonly ReplyState[], sent: ReplySent): Promise<boolean> {
    for (const state of states) {
      if (!(await this.#move(reply, state, toReplyFields(state, sent)))) continue;
      await this.#addToConversation(reply, sent);
      return true;
    }
    return false;
  }

  /** Returns a reply to the queue that was not handed over, or is proven to be a draft still. Joins the transaction. */
  async release(reply: InboxReplyRecord, from: 'claimed' | 'sending', reason: string): Promise<boolean> {
    const attempt = reply.attempt - 1;
    const toQueue = (state: 'claimed' | 'sending' | 'withheld', why: string | null) =>
      this.#move(reply, state, toReplyFields(state, { state: 'queued', reason: why, attempt }));
    return (await toQueue(from, reason)) || (from === 'claimed' && (await toQueue('withheld', null)));
  }

  /** Cancels a waiting reply; returns false when it no longer waits. Joins a running transaction. */
  async cancel({ _id, workspaceId }: Named, reason: string): Promise<boolean> {
    const { matchedCount } = await this.replies.updateOne(
      { _id, workspaceId, state: { $in: WAITING } },
      { $set: toReplyFields('queued', { state: 'cancelled', reason }) },
    );
    return matchedCount === 1;
  }

  /** Lists ambiguous replies of all workspaces whose resolution is due, the longest due first. */
  async dueForResolution(now: Date, limit: number): Promise<InboxReplyRecord[]> {
    return this.replies
      .find({ state: 'ambiguous', resolveAt: { $gt: new Date(0), $lte: now } })
      .setOptions({ allWorkspaces: WORKER })
      .sort({ resolveAt: 1 })
      .limit(limit)
      .lean<InboxReplyRecord[]>();
  }

  /** Claims the resolution that is due and schedules the next one; returns false when another worker has claimed it. */
  async rescheduleResolution(
    { _id, workspaceId, resolveAt: before }: Named & { resolveAt: Date | null },
    resolveAt: Date,
  ): Promise<boolean> {
    const { matchedCount } = await this.replies.updateOne(
      { _id, workspaceId, state: 'ambiguous', resolveAt: before },
      { $set: { resolveAt } },
    );
    return matchedCount === 1;
  }

  /** Whether a message of the conversation refers to the reply, which proves that it was sent. */
  async isAnswered({ workspaceId, conversationId, messageId }: InboxReplyRecord): Promise<boolean> {
    const refers = { $or: [{ inReplyTo: messageId }, { references: messageId }] };
    return (await this.messages.exists({ workspaceId, conversationId, direction: 'received', ...refers })) !== null;
  }

  /**
   * After a restore: cancels the waiting replies of the workspace, for a person to check, and treats claimed ones as handed over, so that
   * they are resolved by their Message-ID. Replies created after `until` are new and stay.
   */
  async reconcile(workspaceId: string, until: Date): Promise<{ cancelled: number; resolving: number }> {
    const cancelled = await this.replies.updateMany(
      { workspaceId, state: { $in: WAITING }, createdAt: { $lte: until } },
      { $set: { state: 'cancelled', reason: RESTORED } },
    );
    const claimed = await this.replies.updateMany(
      { workspaceId, state: 'claimed' },
      [{ $set: { state: 'sending', handoverAt: '$claimedAt' } }],
      { updatePipeline: true },
    );
    return { cancelled: cancelled.modifiedCount, resolving: claimed.modifiedCount };
  }

  async #addToConversation(reply: InboxReplyRecord, { at, providerMessageId, providerThreadId }: ReplySent) {
    const { _id, workspaceId, conversationId, mailboxId, messageId, inReplyTo, from, to, subject, text, html } = reply;
    const message = {
      workspaceId,
      mailboxId,
      messageId,
      inReplyTo,
      from,
      subject,
      at,
      direction: 'sent' as const,
      kind: reply.agentReplyId ? ('agent' as const) : ('manual' as const),
      replyId: _id,
      references: [...reply.references],
      to: [to],
      cc: [],
      replyTo: [],
      text: text.slice(0, MAX_FULL_TEXT).toWellFormed(),
      fullText: text.slice(0, MAX_FULL_TEXT).toWellFormed(),
      html: html === null ? null : sanitiseHtml(html),
      rule: null,
      attachments: [],
      providerMessageId: providerMessageId ?? null,
    };
    const adding = { unread: false, threadId: providerThreadId ?? null, mayBegin: false };
    await this.conversations.add({ conversationId }, { email: reply.email, name: to.name }, message, adding);
  }

  async #move(
    { _id, workspaceId, mailboxId, fence }: ReplyLease,
    from: ReplyState,
    fields: Partial<InboxReplyRecord>,
  ): Promise<boolean> {
    const { matchedCount } = await this.replies.updateOne(
      { _id, workspaceId, mailboxId, state: from, fence },
      { $set: fields },
    );
    return matchedCount === 1;
  }
}
