import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import { type Model, type Types } from 'mongoose';
import { ConversationRepository } from '../conversations/conversation.repository';
import { sanitiseHtml } from '../text/sanitise-html';
import { ConversationMessageRecord } from '../schemas/conversation-message.record';
import { InboxReplyRecord } from '../schemas/inbox-reply.record';
import { toFields, type ReplyLease, type ReplyOutcome, type ReplySent } from './reply-outcome';
import { IN_FLIGHT, mayBecome, OPEN, type ReplyState, WAITING } from './reply-states';

type Id = Types.ObjectId;
type Named = Pick<InboxReplyRecord, '_id' | 'workspaceId'>;

/** What a mailbox has to do about replies. */
export interface OpenReplies {
  /** When the first of those that wait is due; null when none waits. */
  readonly dueAt: Date | null;
  /** Whether a turn has one, or had one when its worker died. */
  readonly inFlight: boolean;
}

export const NO_REPLIES: OpenReplies = { dueAt: null, inFlight: false };

const WORKER = 'the worker looks for the replies of all workspaces';
/** What is kept of a text for display. */
const MAX_FULL_TEXT = 64_000;

/**
 * Replies on their way, for whoever sends them. Each change is guarded by the state that it leaves, and within a turn by the
 * turn's fence, so that of two who want to change a reply one does nothing and is told so.
 */
@Injectable()
export class InboxReplyRepository {
  constructor(
    @InjectModel(InboxReplyRecord.name) private readonly replies: Model<InboxReplyRecord>,
    @InjectModel(ConversationMessageRecord.name) private readonly messages: Model<ConversationMessageRecord>,
    private readonly conversations: ConversationRepository,
  ) {}

  /** What there is to do in each of the mailboxes, by id; one without anything is not in it. */
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
      const isFlying = IN_FLIGHT.some((flying) => flying === state);
      const isFirst = !isFlying && (before.dueAt === null || dueAt < before.dueAt);
      open.set(key, { dueAt: isFirst ? dueAt : before.dueAt, inFlight: before.inFlight || isFlying });
    }
    return open;
  }

  /** The reply of a mailbox that is due for longest; null when none is. Those that were withdrawn are cancelled on the way. */
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

  /** At the start of a turn: what an earlier one left when its worker died. */
  async inFlightOf(workspaceId: Id, mailboxId: Id): Promise<InboxReplyRecord[]> {
    return this.replies.find({ workspaceId, mailboxId, state: { $in: IN_FLIGHT } }).lean<InboxReplyRecord[]>();
  }

  /** Takes a waiting reply for a turn; joins the running transaction. Null when somebody else has changed it. */
  async claim(reply: InboxReplyRecord, fence: number, at: Date): Promise<InboxReplyRecord | null> {
    const { _id, workspaceId, state, fence: before } = reply;
    const claimed = { state: 'claimed', fence, claimedAt: at, wireAt: null, draftId: null, reason: null } as const;
    return this.replies
      .findOneAndUpdate(
        { _id, workspaceId, state, fence: before, withdrawn: null },
        { $set: claimed, $inc: { attempt: 1 } },
        { returnDocument: 'after' },
      )
      .lean<InboxReplyRecord>();
  }

  /** Marks it right before the server is given the message. False when it was taken back or the turn was lost. */
  async markSending(reply: ReplyLease, { draftId, at }: { draftId: string | null; at: Date }): Promise<boolean> {
    return this.#move(reply, 'claimed', { state: 'wire', draftId, wireAt: at });
  }

  /**
   * Writes what became of a reply of this turn; joins the running transaction. False when it is not in `from` any more
   * (of one on the wire: nor being looked for) or belongs to another turn: then nothing was written.
   */
  async settle(reply: ReplyLease, from: ReplyState, outcome: ReplyOutcome): Promise<boolean> {
    const fields = toFields(from, outcome);
    if (await this.#move(reply, from, fields)) return true;
    // What the server has answered stands, also when somebody has begun to look for the reply in the meantime.
    return from === 'wire' && mayBecome('ambiguous', outcome.state) && this.#move(reply, 'ambiguous', fields);
  }

  /**
   * It was sent: it is so in its conversation, too. Joins the running transaction.
   * @param states in which it may be; the server's yes is proof also when somebody has begun to look for it
   */
  async sent(reply: InboxReplyRecord, states: readonly ReplyState[], sent: ReplySent): Promise<boolean> {
    for (const state of states) {
      if (!(await this.#move(reply, state, toFields(state, sent)))) continue;
      await this.#addToConversation(reply, sent);
      return true;
    }
    return false;
  }

  /** Lets go of a reply that did not come to the wire, or of which it is known that it stayed a draft. Joins the transaction. */
  async release(reply: InboxReplyRecord, from: 'claimed' | 'wire', reason: string): Promise<boolean> {
    const attempt = reply.attempt - 1;
    const released = (state: 'claimed' | 'wire' | 'withheld', why: string | null) =>
      this.#move(reply, state, toFields(state, { state: 'queued', reason: why, attempt }));
    return (await released(from, reason)) || (from === 'claimed' && (await released('withheld', null)));
  }

  /** Takes a reply back that waits; false when it does not any more. Joins a running transaction. */
  async cancel({ _id, workspaceId }: Named, reason: string): Promise<boolean> {
    const { matchedCount } = await this.replies.updateOne(
      { _id, workspaceId, state: { $in: WAITING } },
      { $set: toFields('queued', { state: 'cancelled', reason }) },
    );
    return matchedCount === 1;
  }

  /** Ambiguous ones of all workspaces that it is time to look for, those due for longest first. */
  async dueForResolution(now: Date, limit: number): Promise<InboxReplyRecord[]> {
    return this.replies
      .find({ state: 'ambiguous', lookAt: { $gt: new Date(0), $lte: now } })
      .setOptions({ allWorkspaces: WORKER })
      .sort({ lookAt: 1 })
      .limit(limit)
      .lean<InboxReplyRecord[]>();
  }

  /** Takes the look that is due at `reply.lookAt` and plans the next one; false when somebody else has taken it. */
  async rescheduleResolution(
    { _id, workspaceId, lookAt: seen }: Named & { lookAt: Date | null },
    lookAt: Date,
  ): Promise<boolean> {
    const { matchedCount } = await this.replies.updateOne(
      { _id, workspaceId, state: 'ambiguous', lookAt: seen },
      { $set: { lookAt } },
    );
    return matchedCount === 1;
  }

  /** Whether a message of its conversation answers it or reports on it: then it was sent. */
  async isAnswered({ workspaceId, conversationId, messageId }: InboxReplyRecord): Promise<boolean> {
    const refers = { $or: [{ inReplyTo: messageId }, { references: messageId }] };
    return (await this.messages.exists({ workspaceId, conversationId, direction: 'received', ...refers })) !== null;
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
