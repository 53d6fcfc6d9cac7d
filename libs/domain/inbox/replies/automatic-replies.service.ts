import { type MailAddress } from '@adapters/mail';
import { type WorkspaceScope } from '@domain/access';
import { MailboxLeaseService } from '@domain/sends';
import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import { type Model, type Types } from 'mongoose';
import { type ConversationRecord } from '../schemas/conversation.record';
import { InboxReplyRecord } from '../schemas/inbox-reply.record';
import { ReplyAddressService } from './reply-address.service';
import { type NewReply, ReplyCreationService } from './reply-creation.service';
import { toFields } from './reply-outcome';
import { NOT_OVER, WAITING } from './reply-states';

type Id = Types.ObjectId;

/** How far a reply has come. */
export type ReplyProgress = Pick<InboxReplyRecord, 'state' | 'reason' | 'sentAt' | 'messageId'>;

/** Replies that no person writes, for the higher domain that does: queued like all others, and taken back by it. */
@Injectable()
export class AutomaticRepliesService {
  constructor(
    @InjectModel(InboxReplyRecord.name) private readonly replies: Model<InboxReplyRecord>,
    private readonly creation: ReplyCreationService,
    private readonly addressing: ReplyAddressService,
    private readonly turns: MailboxLeaseService,
  ) {}

  /**
   * Queues a reply in the running transaction; call `announce` when that has ended.
   * @throws NOT_FOUND, CONFLICT and LIMIT_EXCEEDED as `InboxRepliesService.create`
   */
  async create(
    workspace: WorkspaceScope,
    conversationId: Id,
    reply: NewReply & { readonly agentReplyId: Id },
  ): Promise<Pick<InboxReplyRecord, '_id' | 'mailboxId'>> {
    const { _id, mailboxId } = await this.creation.create(workspace, conversationId.toHexString(), reply);
    return { _id, mailboxId };
  }

  /** Wakes the mailbox. Redis failing right now costs nothing: the sweep finds its turn. */
  async enqueue(workspaceId: Id, mailboxId: Id): Promise<void> {
    await this.turns.enqueue(workspaceId.toHexString(), [mailboxId.toHexString()]);
  }

  /**
   * From whom to whom a reply would go now.
   * @throws CONFLICT when none could be sent in the conversation, as `InboxRepliesService.create`
   */
  async addressed(conversation: ConversationRecord): Promise<{ readonly from: MailAddress; readonly to: MailAddress }> {
    const { mailbox, to } = await this.addressing.find(conversation);
    return { from: { name: mailbox.displayName, address: mailbox.email }, to };
  }

  /**
   * Takes replies back, each that is not with its server yet: it never goes out. Of one that is there, it is not tried again
   * if it did not arrive. Repeated, it changes nothing. Joins a running transaction.
   * @returns how far each has come, by id
   */
  async withdraw(workspaceId: Id, replyIds: readonly Id[], reason: string): Promise<Map<string, ReplyProgress>> {
    const of = { workspaceId, _id: { $in: [...replyIds] } };
    // First nobody claims them any more; then what a turn has finds them gone when it marks them as on the wire.
    await this.replies.updateMany({ ...of, state: { $in: NOT_OVER } }, { $set: { withdrawn: reason } });
    const withheld = toFields('claimed', { state: 'withheld', reason });
    await this.replies.updateMany({ ...of, state: 'claimed' }, { $set: withheld });
    const cancelled = toFields('queued', { state: 'cancelled', reason });
    await this.replies.updateMany({ ...of, state: { $in: WAITING } }, { $set: cancelled });
    return this.progress(workspaceId, replyIds);
  }

  /** How far replies have come, by id; one that was erased is not in it. */
  async progress(workspaceId: Id, replyIds: readonly Id[]): Promise<Map<string, ReplyProgress>> {
    const found = await this.replies
      .find({ workspaceId, _id: { $in: [...replyIds] } }, { state: 1, reason: 1, sentAt: 1, messageId: 1 })
      .lean<(ReplyProgress & { _id: Id })[]>();
    return new Map(found.map((reply) => [reply._id.toHexString(), reply]));
  }
}
