import { type WorkspaceScope } from '@domain/access';
import { AuditService } from '@domain/audit';
import { toMessageId, MailboxLeaseService } from '@domain/sends';
import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import { ClockPort } from '@platform/clock';
import { limitExceeded } from '@platform/errors';
import { type Model, Types } from 'mongoose';
import { findConversation } from '../conversations/conversation-lookup';
import { ConversationHookRegistry } from '../conversations/conversation-hook.registry';
import { ConversationRecord } from '../schemas/conversation.record';
import { InboxReplyRecord } from '../schemas/inbox-reply.record';
import { ReplyAddressService } from './reply-address.service';
import { placeOf, type Written } from './reply-message';
import { WAITING } from './reply-states';

/** Replies that wait for one mailbox: days of work for any of them. */
const MOST_WAITING = 500;

export interface NewReply extends Written {
  /** Empty: `Re:` and that of the thread. */
  readonly subject: string;
  /** The agent's answer that it is; null when a person writes. */
  readonly agentReplyId: Types.ObjectId | null;
}

/** Queues replies, whoever writes them. Joins the running transaction. */
@Injectable()
export class ReplyCreationService {
  constructor(
    @InjectModel(ConversationRecord.name) private readonly conversations: Model<ConversationRecord>,
    @InjectModel(InboxReplyRecord.name) private readonly replies: Model<InboxReplyRecord>,
    private readonly addressing: ReplyAddressService,
    private readonly watches: ConversationHookRegistry,
    private readonly turns: MailboxLeaseService,
    private readonly audit: AuditService,
    private readonly clock: ClockPort,
  ) {}

  /** @throws NOT_FOUND; CONFLICT and LIMIT_EXCEEDED as `InboxRepliesService.create` */
  async create(workspace: WorkspaceScope, conversationId: string, reply: NewReply): Promise<InboxReplyRecord> {
    const conversation = await findConversation(this.conversations, workspace, conversationId);
    const { workspaceId } = conversation;
    // Two who write in one conversation at once meet here, and a new answer or label meets them: one of the two runs again.
    await this.conversations.updateOne(
      { _id: conversation._id, workspaceId },
      { $inc: { replyCount: 1 } },
      { timestamps: false },
    );
    if (reply.agentReplyId === null) await this.watches.conversationChanged(conversation, { kind: 'written' });
    const { mailbox, to, email, answered, threadId } = await this.addressing.find(conversation);
    await this.#ensureRoom(workspaceId, mailbox);
    const { subject, agentReplyId, ...written } = reply;
    const _id = new Types.ObjectId();
    const now = this.clock.now();
    const [created] = await this.replies.create([
      {
        ...placeOf(subject, conversation, answered),
        ...written,
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
    // Together with the reply: a mailbox that is deleted in this moment meets its turn, and one of the two runs again.
    await this.turns.schedule(workspace.workspaceId, [mailbox._id.toHexString()], now);
    await this.audit.record(workspace, {
      action: 'reply.created',
      target: { type: 'reply', id: _id.toHexString() },
      changes: { to: { from: null, to: email } },
    });
    if (!created) throw new Error('The reply was not created');
    return created;
  }

  async #ensureRoom(
    workspaceId: Types.ObjectId,
    { _id: mailboxId, email }: { readonly _id: Types.ObjectId; readonly email: string },
  ): Promise<void> {
    const waiting = await this.replies.countDocuments({ workspaceId, mailboxId, state: { $in: WAITING } });
    if (waiting >= MOST_WAITING) throw limitExceeded(`${waiting} replies wait to be sent from ${email} already`);
  }
}
