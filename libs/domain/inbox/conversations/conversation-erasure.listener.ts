import { type WorkspaceScope } from '@domain/access';
import { type CampaignHooks, CAMPAIGN_HOOKS } from '@domain/campaigns';
import { MailboxMessageRepository, type MailboxHooks, MAILBOX_HOOKS } from '@domain/mailboxes';
import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import { isDuplicateKey, parseId } from '@platform/database';
import { HookRegistry, Listens } from '@platform/hooks';
import { type Model, Types } from 'mongoose';
import { ConversationMessageRecord } from '../schemas/conversation-message.record';
import { ConversationRecord } from '../schemas/conversation.record';
import { InboxReplyRecord } from '../schemas/inbox-reply.record';
import { CONVERSATION_HOOKS } from './conversation-hooks';

type Workspace = Pick<WorkspaceScope, 'workspaceId'>;
type ConversationFacts = Pick<ConversationRecord, '_id' | 'workspaceId' | 'mailboxId' | 'leadId'>;

const CONVERSATION_BATCH = 100;
const MESSAGE_BATCH = 1_000;

/**
 * Erases or detaches conversations of deleted mailboxes and campaigns. A deleted mailbox loses its untracked conversations;
 * tracked ones stay with their campaign. A deleted campaign loses its leads; their conversations become untracked ones of the
 * mailbox, so that later replies still arrive.
 */
@Injectable()
@Listens(CAMPAIGN_HOOKS)
@Listens(MAILBOX_HOOKS)
export class ConversationErasureListener implements CampaignHooks, MailboxHooks {
  constructor(
    @InjectModel(ConversationRecord.name) private readonly conversations: Model<ConversationRecord>,
    @InjectModel(ConversationMessageRecord.name) private readonly messages: Model<ConversationMessageRecord>,
    @InjectModel(InboxReplyRecord.name) private readonly replies: Model<InboxReplyRecord>,
    private readonly mail: MailboxMessageRepository,
    private readonly hooks: HookRegistry,
  ) {}

  /** Runs after the deletion of a campaign. */
  async eraseCampaign(workspace: Workspace, campaign: string, signal: AbortSignal): Promise<void> {
    const campaignId = parseId(campaign);
    if (!campaignId) return;
    await this.#each({ ...toFilter(workspace), campaignId }, signal, async (batch) => {
      const withoutMailbox: ConversationFacts[] = [];
      for (const conversation of batch) {
        const { workspaceId, mailboxId } = conversation;
        const names = { workspaceId: workspaceId.toHexString(), mailboxId: mailboxId.toHexString() };
        if (await this.mail.findMailbox(names)) await this.#detach(conversation);
        else withoutMailbox.push(conversation);
      }
      if (withoutMailbox.length > 0) await this.#erase(toFilter(workspace), withoutMailbox, signal);
    });
  }

  async eraseMailbox(workspace: Workspace, mailbox: string, signal: AbortSignal): Promise<void> {
    const mailboxId = parseId(mailbox);
    if (!mailboxId) return;
    const untracked = { ...toFilter(workspace), mailboxId, tracked: false };
    await this.#each(untracked, signal, (batch) => this.#erase(toFilter(workspace), batch, signal));
  }

  /** Processes all matches in batches. `work` must make each of them stop matching. */
  async #each(
    filter: Record<string, unknown> & { workspaceId: Types.ObjectId },
    signal: AbortSignal,
    work: (batch: readonly ConversationFacts[]) => Promise<void>,
  ): Promise<void> {
    for (;;) {
      signal.throwIfAborted();
      const batch = await this.conversations
        .find(filter, { workspaceId: 1, mailboxId: 1, leadId: 1 })
        .limit(CONVERSATION_BATCH)
        .lean<ConversationFacts[]>();
      if (batch.length === 0) return;
      await work(batch);
    }
  }

  async #detach({ _id, workspaceId, leadId }: ConversationFacts): Promise<void> {
    const detach = (threadKey: string) =>
      this.conversations.updateOne(
        { _id, workspaceId },
        { $set: { tracked: false, threadKey, formerLeadId: leadId }, $unset: { leadId: 1, campaignId: 1 } },
        { timestamps: false },
      );
    const ownKey = _id.toHexString();
    try {
      await detach((await this.#findThreadKey(_id, workspaceId)) ?? ownKey);
    } catch (error) {
      // A reply since the deletion has begun another conversation of the thread.
      if (!isDuplicateKey(error)) throw error;
      await detach(ownKey);
    }
  }

  /** Returns the thread key of untracked mail, so that the next reply finds this conversation. */
  async #findThreadKey(conversationId: Types.ObjectId, workspaceId: Types.ObjectId): Promise<string | null> {
    const first = await this.messages
      .findOne({ workspaceId, conversationId, direction: 'received' })
      .sort({ at: 1, _id: 1 })
      .lean<ConversationMessageRecord>();
    return first && (first.references[0] ?? first.inReplyTo ?? first.messageId);
  }

  /** Deletes the conversations last: after an interruption they are found again. */
  async #erase(
    { workspaceId }: { workspaceId: Types.ObjectId },
    batch: readonly ConversationFacts[],
    signal: AbortSignal,
  ): Promise<void> {
    const _id = { $in: batch.map((conversation) => conversation._id) };
    const ofBatch = { workspaceId, conversationId: _id };
    for (;;) {
      signal.throwIfAborted();
      const messages = await this.messages
        .find(ofBatch, { _id: 1 })
        .limit(MESSAGE_BATCH)
        .lean<Pick<ConversationMessageRecord, '_id'>[]>();
      if (messages.length === 0) break;
      await this.messages.deleteMany({ workspaceId, _id: { $in: messages.map((message) => message._id) } });
    }
    for (const conversation of batch)
      await this.hooks.call(CONVERSATION_HOOKS, 'erased', { _id: conversation._id, workspaceId });
    await this.replies.deleteMany(ofBatch);
    await this.conversations.deleteMany({ _id, workspaceId });
  }
}

function toFilter({ workspaceId }: Workspace): { workspaceId: Types.ObjectId } {
  return { workspaceId: new Types.ObjectId(workspaceId) };
}
