import { type WorkspaceScope } from '@domain/access';
import { AuditService } from '@domain/audit';
import { messageIdOf, Turns } from '@domain/sends';
import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import { Clock } from '@platform/clock';
import { parseId, Transactions } from '@platform/database';
import { conflict, limitExceeded, notFound } from '@platform/errors';
import { type Model, Types } from 'mongoose';
import { findConversation } from '../conversations/conversation.lookup';
import { type CreateReplyRequest, type ReplyResponse, toReply } from '../dto/reply.dto';
import { ConversationRecord } from '../schemas/conversation.record';
import { InboxReplyRecord } from '../schemas/inbox-reply.record';
import { ReplyAddressing } from './reply.addressing.service';
import { placeOf, type Written, writtenOf } from './reply.letter';
import { fieldsOf } from './reply.outcome';
import { isWaiting, WAITING } from './reply.states';

/** Replies that wait for one mailbox: days of work for any of them. */
const MOST_WAITING = 500;

/** What people answer. The mailbox's next turn sends it, before anything of a campaign and within the same limits. */
@Injectable()
export class ConversationReplies {
  constructor(
    @InjectModel(ConversationRecord.name) private readonly conversations: Model<ConversationRecord>,
    @InjectModel(InboxReplyRecord.name) private readonly replies: Model<InboxReplyRecord>,
    private readonly addressing: ReplyAddressing,
    private readonly turns: Turns,
    private readonly audit: AuditService,
    private readonly transactions: Transactions,
    private readonly clock: Clock,
  ) {}

  /**
   * Queues a reply.
   * @throws NOT_FOUND; VALIDATION_ERROR when it says nothing or too much; CONFLICT when its mailbox is gone or does not send,
   *   or its address is suppressed; LIMIT_EXCEEDED when too many wait for the mailbox
   */
  async create(workspace: WorkspaceScope, conversationId: string, request: CreateReplyRequest): Promise<ReplyResponse> {
    const { _id } = await findConversation(this.conversations, workspace, conversationId);
    const written = writtenOf(request);
    const reply = await this.transactions.run(() => this.#create(workspace, _id, written, request.subject ?? ''));
    await this.turns.announce(workspace.workspaceId, [reply.mailboxId]);
    return reply;
  }

  /** @throws NOT_FOUND */
  async get(workspace: WorkspaceScope, conversationId: string, replyId: string): Promise<ReplyResponse> {
    return toReply(await this.#find(workspace, conversationId, replyId));
  }

  /**
   * Takes back what still waits; repeated, it changes nothing.
   * @throws NOT_FOUND, CONFLICT when it is being sent or has been
   */
  async cancel(workspace: WorkspaceScope, conversationId: string, replyId: string): Promise<ReplyResponse> {
    return this.transactions.run(async () => {
      const reply = await this.#find(workspace, conversationId, replyId);
      if (reply.state === 'cancelled') return toReply(reply);
      const { _id, workspaceId } = reply;
      const fields =
        isWaiting(reply.state) && fieldsOf(reply.state, { state: 'cancelled', reason: 'It was cancelled' });
      const cancelled =
        fields &&
        (await this.replies
          .findOneAndUpdate(
            { _id, workspaceId, state: { $in: WAITING } },
            { $set: fields },
            { returnDocument: 'after' },
          )
          .lean<InboxReplyRecord>());
      if (!cancelled)
        throw conflict('Only a reply that waits can be cancelled: this one is being sent, or it is past that');
      const target = { type: 'reply', id: _id.toHexString() } as const;
      await this.audit.record(workspace, { action: 'reply.cancelled', target });
      return toReply(cancelled);
    });
  }

  async #create(
    workspace: WorkspaceScope,
    conversationId: Types.ObjectId,
    written: Written,
    subject: string,
  ): Promise<ReplyResponse> {
    const conversation = await findConversation(this.conversations, workspace, conversationId.toHexString());
    const { mailbox, to, email, answered, threadId } = await this.addressing.find(conversation);
    const { workspaceId, _id: mailboxId } = mailbox;
    await this.#ensureRoom(mailbox);
    const _id = new Types.ObjectId();
    const now = this.clock.now();
    const place = placeOf(subject, conversation, answered);
    const [created] = await this.replies.create([
      {
        ...place,
        ...written,
        _id,
        workspaceId,
        conversationId,
        mailboxId,
        to,
        email,
        threadId,
        from: { name: mailbox.displayName, address: mailbox.email },
        messageId: messageIdOf(_id.toHexString(), mailbox.email),
        state: 'queued',
        dueAt: now,
        createdBy: workspace.actor,
      },
    ]);
    // Together with the reply: a mailbox that is deleted in this moment meets its turn, and one of the two runs again.
    await this.turns.plant(workspace.workspaceId, [mailboxId.toHexString()], now);
    await this.audit.record(workspace, {
      action: 'reply.created',
      target: { type: 'reply', id: _id.toHexString() },
      changes: { to: { from: null, to: email } },
    });
    if (!created) throw new Error('The reply was not created');
    return toReply(created);
  }

  async #ensureRoom({
    _id: mailboxId,
    workspaceId,
    email,
  }: {
    _id: Types.ObjectId;
    workspaceId: Types.ObjectId;
    email: string;
  }) {
    const waiting = await this.replies.countDocuments({ workspaceId, mailboxId, state: { $in: WAITING } });
    if (waiting >= MOST_WAITING) throw limitExceeded(`${waiting} replies wait to be sent from ${email} already`);
  }

  async #find(workspace: WorkspaceScope, conversationId: string, replyId: string): Promise<InboxReplyRecord> {
    const conversation = await findConversation(this.conversations, workspace, conversationId);
    const _id = parseId(replyId);
    const { workspaceId } = conversation;
    const found =
      _id &&
      (await this.replies.findOne({ _id, workspaceId, conversationId: conversation._id }).lean<InboxReplyRecord>());
    if (!found) throw notFound('Reply');
    return found;
  }
}
