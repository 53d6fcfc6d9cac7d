import { type MailAddress } from '@adapters/mail';
import { type WorkspaceScope } from '@domain/access';
import { AuditService } from '@domain/audit';
import { MailboxLeaseService, toMessageId } from '@domain/sends';
import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import { ClockPort } from '@platform/clock';
import { parseId, TransactionService } from '@platform/database';
import { conflict, limitExceeded, notFound } from '@platform/errors';
import { HookRegistry } from '@platform/hooks';
import { type Model, Types } from 'mongoose';
import { CONVERSATION_HOOKS } from '../conversations/conversation-hooks';
import { requireConversation } from '../conversations/conversation-lookup';
import { type CreateReplyRequest, type ReplyResponse, toReply } from '../dto/reply.dto';
import { ConversationRecord } from '../schemas/conversation.record';
import { InboxReplyRecord } from '../schemas/inbox-reply.record';
import { ReplyAddressService } from './reply-address.service';
import { parseReplyContent, type ReplyContent, toThreading } from './reply-message';
import { toReplyFields } from './reply-outcome';
import { isWaiting, NOT_OVER, WAITING } from './reply-states';

type Id = Types.ObjectId;

/** How far a reply has come. */
export type ReplyProgress = Pick<InboxReplyRecord, 'state' | 'reason' | 'sentAt' | 'messageId'>;

/** Waiting replies of one mailbox: several days of sending. */
const MAX_WAITING = 500;

interface NewReply extends ReplyContent {
  /** Empty: `Re:` and the subject of the thread. */
  readonly subject: string;
  /** The agent reply that it sends; null for a reply by a member. */
  readonly agentReplyId: Id | null;
}

/** Replies in conversations, by members and by agents. Their mailbox sends them before campaign mail, within its limits. */
@Injectable()
export class InboxRepliesService {
  constructor(
    @InjectModel(ConversationRecord.name) private readonly conversations: Model<ConversationRecord>,
    @InjectModel(InboxReplyRecord.name) private readonly replies: Model<InboxReplyRecord>,
    private readonly addressing: ReplyAddressService,
    private readonly hooks: HookRegistry,
    private readonly leases: MailboxLeaseService,
    private readonly audit: AuditService,
    private readonly transactions: TransactionService,
    private readonly clock: ClockPort,
  ) {}

  /**
   * Queues a reply.
   * @throws NOT_FOUND; VALIDATION_ERROR when it is empty or too long; CONFLICT when its mailbox is deleted or cannot send,
   *   its address is suppressed, or an agent reply is being submitted; LIMIT_EXCEEDED when the mailbox has too many
   *   waiting replies
   */
  async create(workspace: WorkspaceScope, conversationId: string, request: CreateReplyRequest): Promise<ReplyResponse> {
    // Before the content: an unknown conversation is NOT_FOUND whatever the body.
    await requireConversation(this.conversations, workspace, conversationId);
    const content = { ...parseReplyContent(request), subject: request.subject ?? '', agentReplyId: null };
    const reply = await this.transactions.run(async () =>
      toReply(await this.#create(workspace, conversationId, content)),
    );
    await this.leases.enqueue(workspace.workspaceId, [reply.mailboxId]);
    return reply;
  }

  /**
   * Queues an agent's reply in the running transaction. Call `enqueue` after it.
   * @throws NOT_FOUND; CONFLICT and LIMIT_EXCEEDED as `create`
   */
  async createAutomatic(
    workspace: WorkspaceScope,
    conversationId: Id,
    reply: NewReply & { readonly agentReplyId: Id },
  ): Promise<Pick<InboxReplyRecord, '_id' | 'mailboxId'>> {
    const { _id, mailboxId } = await this.#create(workspace, conversationId.toHexString(), reply);
    return { _id, mailboxId };
  }

  /** Enqueues the mailbox. If Redis fails now, the sweep enqueues it later. */
  async enqueue(workspaceId: Id, mailboxId: Id): Promise<void> {
    await this.leases.enqueue(workspaceId.toHexString(), [mailboxId.toHexString()]);
  }

  /** @throws NOT_FOUND */
  async get(workspace: WorkspaceScope, conversationId: string, replyId: string): Promise<ReplyResponse> {
    return toReply(await this.#require(workspace, conversationId, replyId));
  }

  /**
   * Cancels a waiting reply; a repetition changes nothing.
   * @throws NOT_FOUND; CONFLICT when it is being sent or over
   */
  async cancel(workspace: WorkspaceScope, conversationId: string, replyId: string): Promise<ReplyResponse> {
    return this.transactions.run(async () => {
      const reply = await this.#require(workspace, conversationId, replyId);
      if (reply.state === 'cancelled') return toReply(reply);
      const { _id, workspaceId } = reply;
      const fields =
        isWaiting(reply.state) && toReplyFields(reply.state, { state: 'cancelled', reason: 'It was cancelled' });
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
        throw conflict('Only a waiting reply can be cancelled: this one is being sent or is no longer pending');
      const target = { type: 'reply', id: _id.toHexString() } as const;
      await this.audit.record(workspace, { action: 'reply.cancelled', target });
      return toReply(cancelled);
    });
  }

  /**
   * Returns the sender and recipient of a reply sent now.
   * @throws CONFLICT when no reply can be sent in the conversation, as `create`
   */
  async addressed(conversation: ConversationRecord): Promise<{ readonly from: MailAddress; readonly to: MailAddress }> {
    const { mailbox, to } = await this.addressing.find(conversation);
    return { from: { name: mailbox.displayName, address: mailbox.email }, to };
  }

  /**
   * Withdraws replies that are not submitted yet: they never go out. A submitted one is not retried if it did not arrive.
   * A repetition changes nothing. Joins a running transaction.
   * @returns the progress of each, by id
   */
  async withdraw(workspaceId: Id, replyIds: readonly Id[], reason: string): Promise<Map<string, ReplyProgress>> {
    const selected = { workspaceId, _id: { $in: [...replyIds] } };
    // First: prevents further claims. A claimed reply is then withheld, which its sender notices at `markSending`.
    await this.replies.updateMany({ ...selected, state: { $in: NOT_OVER } }, { $set: { withdrawn: reason } });
    const withheld = toReplyFields('claimed', { state: 'withheld', reason });
    await this.replies.updateMany({ ...selected, state: 'claimed' }, { $set: withheld });
    const cancelled = toReplyFields('queued', { state: 'cancelled', reason });
    await this.replies.updateMany({ ...selected, state: { $in: WAITING } }, { $set: cancelled });
    return this.progress(workspaceId, replyIds);
  }

  /** Returns the progress of replies by id; erased ones are missing. */
  async progress(workspaceId: Id, replyIds: readonly Id[]): Promise<Map<string, ReplyProgress>> {
    const found = await this.replies
      .find({ workspaceId, _id: { $in: [...replyIds] } }, { state: 1, reason: 1, sentAt: 1, messageId: 1 })
      .lean<(ReplyProgress & { _id: Id })[]>();
    return new Map(found.map((reply) => [reply._id.toHexString(), reply]));
  }

  async #create(workspace: WorkspaceScope, conversationId: string, reply: NewReply): Promise<InboxReplyRecord> {
    const conversation = await requireConversation(this.conversations, workspace, conversationId);
    const { workspaceId } = conversation;
    // A write conflict with concurrent replies, messages and labels of the conversation: one transaction runs again.
    await this.conversations.updateOne(
      { _id: conversation._id, workspaceId },
      { $inc: { replyCount: 1 } },
      { timestamps: false },
    );
    if (reply.agentReplyId === null)
      await this.hooks.call(CONVERSATION_HOOKS, 'conversationChanged', conversation, { kind: 'written' });
    const { mailbox, to, email, answered, threadId } = await this.addressing.find(conversation);
    await this.#requireCapacity(workspaceId, mailbox);
    const { subject, agentReplyId, ...content } = reply;
    const _id = new Types.ObjectId();
    const now = this.clock.now();
    const [created] = await this.replies.create([
      {
        ...toThreading(subject, conversation, answered),
        ...content,
        _id,
        workspaceId,
        conversationId: conversation._id,
        mailboxId: mailbox._id,
        to,
        email,
        threadId,
        from: { name: mailbox.displayName, address: mailbox.email },
        messageId: toMessageId(_id.toHexString(), mailbox.email),
        state: 'queued',
        dueAt: now,
        createdBy: workspace.actor,
        ...(agentReplyId && { agentReplyId }),
      },
    ]);
    // In this transaction: it conflicts with a concurrent deletion of the mailbox, and one of the two runs again.
    await this.leases.schedule(workspace.workspaceId, [mailbox._id.toHexString()], now);
    await this.audit.record(workspace, {
      action: 'reply.created',
      target: { type: 'reply', id: _id.toHexString() },
      changes: { to: { from: null, to: email } },
    });
    if (!created) throw new Error('The reply was not created');
    return created;
  }

  /** @throws LIMIT_EXCEEDED */
  async #requireCapacity(
    workspaceId: Id,
    { _id: mailboxId, email }: { readonly _id: Id; readonly email: string },
  ): Promise<void> {
    const waiting = await this.replies.countDocuments({ workspaceId, mailboxId, state: { $in: WAITING } });
    if (waiting >= MAX_WAITING) throw limitExceeded(`${waiting} replies already wait to be sent from ${email}`);
  }

  async #require(workspace: WorkspaceScope, conversationId: string, replyId: string): Promise<InboxReplyRecord> {
    const conversation = await requireConversation(this.conversations, workspace, conversationId);
    const _id = parseId(replyId);
    const { workspaceId } = conversation;
    const found =
      _id &&
      (await this.replies.findOne({ _id, workspaceId, conversationId: conversation._id }).lean<InboxReplyRecord>());
    if (!found) throw notFound('Reply');
    return found;
  }
}
