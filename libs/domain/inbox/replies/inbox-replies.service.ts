import { type WorkspaceScope } from '@domain/access';
import { AuditService } from '@domain/audit';
import { MailboxLeaseService } from '@domain/sends';
import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import { parseId, TransactionService } from '@platform/database';
import { conflict, notFound } from '@platform/errors';
import { type Model } from 'mongoose';
import { findConversation } from '../conversations/conversation-lookup';
import { type CreateReplyRequest, type ReplyResponse, toReply } from '../dto/reply.dto';
import { ConversationRecord } from '../schemas/conversation.record';
import { InboxReplyRecord } from '../schemas/inbox-reply.record';
import { ReplyCreationService } from './reply-creation.service';
import { toWritten } from './reply-message';
import { toFields } from './reply-outcome';
import { isWaiting, WAITING } from './reply-states';

/** What people answer. The mailbox's next turn sends it, before anything of a campaign and within the same limits. */
@Injectable()
export class InboxRepliesService {
  constructor(
    @InjectModel(ConversationRecord.name) private readonly conversations: Model<ConversationRecord>,
    @InjectModel(InboxReplyRecord.name) private readonly replies: Model<InboxReplyRecord>,
    private readonly creation: ReplyCreationService,
    private readonly turns: MailboxLeaseService,
    private readonly audit: AuditService,
    private readonly transactions: TransactionService,
  ) {}

  /**
   * Queues a reply.
   * @throws NOT_FOUND; VALIDATION_ERROR when it says nothing or too much; CONFLICT when its mailbox is gone or does not send,
   *   its address is suppressed, or an agent's answer is just being given to the server; LIMIT_EXCEEDED when too many wait
   *   for the mailbox
   */
  async create(workspace: WorkspaceScope, conversationId: string, request: CreateReplyRequest): Promise<ReplyResponse> {
    const { _id } = await findConversation(this.conversations, workspace, conversationId);
    const written = toWritten(request);
    const reply = await this.transactions.run(async () =>
      toReply(
        await this.creation.create(workspace, _id.toHexString(), {
          ...written,
          subject: request.subject ?? '',
          agentReplyId: null,
        }),
      ),
    );
    await this.turns.enqueue(workspace.workspaceId, [reply.mailboxId]);
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
        isWaiting(reply.state) && toFields(reply.state, { state: 'cancelled', reason: 'It was cancelled' });
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
