import { type WorkspaceScope } from '@domain/access';
import { type CampaignUse, CampaignHookRegistry } from '@domain/campaigns';
import { MailboxMessageRepository, type MailboxHooks, MailboxHookRegistry } from '@domain/mailboxes';
import { Injectable, type OnModuleInit } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import { isDuplicateKey, parseId } from '@platform/database';
import { type Model, Types } from 'mongoose';
import { ConversationMessageRecord } from '../schemas/conversation-message.record';
import { ConversationRecord } from '../schemas/conversation.record';
import { InboxReplyRecord } from '../schemas/inbox-reply.record';
import { ConversationHookRegistry } from './conversation-hook.registry';

type Workspace = Pick<WorkspaceScope, 'workspaceId'>;
type Kept = Pick<ConversationRecord, '_id' | 'workspaceId' | 'mailboxId' | 'leadId'>;

const CONVERSATIONS = 100;
const MESSAGES = 1_000;

/**
 * What becomes of conversations whose mailbox or campaign is deleted. With a mailbox goes its mail that answers nothing of ours;
 * conversations with leads stay with their campaign. With a campaign go its leads, and their conversations are mail of the
 * mailbox like any other: whoever answers in them is still heard.
 */
@Injectable()
export class ConversationErasureListener implements CampaignUse, OnModuleInit {
  constructor(
    @InjectModel(ConversationRecord.name) private readonly conversations: Model<ConversationRecord>,
    @InjectModel(ConversationMessageRecord.name) private readonly messages: Model<ConversationMessageRecord>,
    @InjectModel(InboxReplyRecord.name) private readonly replies: Model<InboxReplyRecord>,
    private readonly mail: MailboxMessageRepository,
    private readonly campaignUses: CampaignHookRegistry,
    private readonly mailboxUses: MailboxHookRegistry,
    private readonly watches: ConversationHookRegistry,
  ) {}

  onModuleInit(): void {
    this.campaignUses.register(this);
    const ofMailbox: Partial<MailboxHooks> = {
      erase: (workspace, mailboxId, signal) => this.#eraseOfMailbox(workspace, mailboxId, signal),
    };
    this.mailboxUses.register(ofMailbox);
  }

  /** The campaign was deleted. */
  async erase(workspace: Workspace, campaign: string, signal: AbortSignal): Promise<void> {
    const campaignId = parseId(campaign);
    if (!campaignId) return;
    await this.#each({ ...idOf(workspace), campaignId }, signal, async (batch) => {
      const homeless: Kept[] = [];
      for (const conversation of batch) {
        const { workspaceId, mailboxId } = conversation;
        const names = { workspaceId: workspaceId.toHexString(), mailboxId: mailboxId.toHexString() };
        if (await this.mail.findMailbox(names)) await this.#detach(conversation);
        else homeless.push(conversation);
      }
      if (homeless.length > 0) await this.#erase(idOf(workspace), homeless, signal);
    });
  }

  async #eraseOfMailbox(workspace: Workspace, mailbox: string, signal: AbortSignal): Promise<void> {
    const mailboxId = parseId(mailbox);
    if (!mailboxId) return;
    const untracked = { ...idOf(workspace), mailboxId, tracked: false };
    await this.#each(untracked, signal, (batch) => this.#erase(idOf(workspace), batch, signal));
  }

  /** Works through all that match, each of which must not match any more when it is done. */
  async #each(
    filter: Record<string, unknown> & { workspaceId: Types.ObjectId },
    signal: AbortSignal,
    work: (batch: readonly Kept[]) => Promise<void>,
  ): Promise<void> {
    for (;;) {
      signal.throwIfAborted();
      const batch = await this.conversations
        .find(filter, { workspaceId: 1, mailboxId: 1, leadId: 1 })
        .limit(CONVERSATIONS)
        .lean<Kept[]>();
      if (batch.length === 0) return;
      await work(batch);
    }
  }

  async #detach({ _id, workspaceId, leadId }: Kept): Promise<void> {
    const detach = (threadKey: string) =>
      this.conversations.updateOne(
        { _id, workspaceId },
        { $set: { tracked: false, threadKey, formerLeadId: leadId }, $unset: { leadId: 1, campaignId: 1 } },
        { timestamps: false },
      );
    const itself = _id.toHexString();
    try {
      await detach((await this.#threadOf(_id, workspaceId)) ?? itself);
    } catch (error) {
      // Since the deletion somebody has answered in the thread, and begun another conversation with it.
      if (!isDuplicateKey(error)) throw error;
      await detach(itself);
    }
  }

  /** As mail that answers nothing of ours names its thread, so that the next answer comes here. */
  async #threadOf(conversationId: Types.ObjectId, workspaceId: Types.ObjectId): Promise<string | null> {
    const first = await this.messages
      .findOne({ workspaceId, conversationId, direction: 'received' })
      .sort({ at: 1, _id: 1 })
      .lean<ConversationMessageRecord>();
    return first && (first.references[0] ?? first.inReplyTo ?? first.messageId);
  }

  /** Themselves last: what is interrupted is found again by them. */
  async #erase(
    { workspaceId }: { workspaceId: Types.ObjectId },
    batch: readonly Kept[],
    signal: AbortSignal,
  ): Promise<void> {
    const _id = { $in: batch.map((conversation) => conversation._id) };
    const ofThem = { workspaceId, conversationId: _id };
    for (;;) {
      signal.throwIfAborted();
      const messages = await this.messages
        .find(ofThem, { _id: 1 })
        .limit(MESSAGES)
        .lean<Pick<ConversationMessageRecord, '_id'>[]>();
      if (messages.length === 0) break;
      await this.messages.deleteMany({ workspaceId, _id: { $in: messages.map((message) => message._id) } });
    }
    for (const conversation of batch) await this.watches.erased({ _id: conversation._id, workspaceId });
    await this.replies.deleteMany(ofThem);
    await this.conversations.deleteMany({ _id, workspaceId });
  }
}

function idOf({ workspaceId }: Workspace): { workspaceId: Types.ObjectId } {
  return { workspaceId: new Types.ObjectId(workspaceId) };
}
