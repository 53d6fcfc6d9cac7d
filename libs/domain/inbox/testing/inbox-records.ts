import { type CampaignSums, CampaignCountersService } from '@domain/campaigns';
import { EventRecord } from '@domain/events';
import { LeadRecord } from '@domain/leads';
import { MailboxMessageRecord } from '@domain/mailboxes';
import { SendRecord } from '@domain/sends';
import { type Model } from 'mongoose';
import { ConversationMessageRecord } from '../schemas/conversation-message.record';
import { ConversationRecord } from '../schemas/conversation.record';

/** A lead that got an email, and the email. */
export interface Written {
  readonly campaignId: string;
  readonly leadId: string;
  readonly send: SendRecord;
}

/** The stored records of a workspace's inbox. */
export abstract class InboxRecords {
  abstract get workspaceId(): string;

  abstract get<T>(service: abstract new (...args: never[]) => T): T;

  abstract model<T>(record: { name: string }): Model<T>;

  async lead({ leadId }: Pick<Written, 'leadId'>): Promise<LeadRecord> {
    const { workspaceId } = this;
    return this.model<LeadRecord>(LeadRecord).findOne({ _id: leadId, workspaceId }).orFail().lean<LeadRecord>();
  }

  async sendOf({ send }: Written): Promise<SendRecord> {
    const { workspaceId } = this;
    return this.model<SendRecord>(SendRecord).findOne({ _id: send._id, workspaceId }).orFail().lean<SendRecord>();
  }

  async messages(): Promise<MailboxMessageRecord[]> {
    const { workspaceId } = this;
    return this.model<MailboxMessageRecord>(MailboxMessageRecord)
      .find({ workspaceId })
      .sort({ receivedAt: 1, _id: 1 })
      .lean<MailboxMessageRecord[]>();
  }

  async conversations(): Promise<ConversationRecord[]> {
    const { workspaceId } = this;
    return this.model<ConversationRecord>(ConversationRecord)
      .find({ workspaceId })
      .sort({ createdAt: 1 })
      .lean<ConversationRecord[]>();
  }

  async said(): Promise<ConversationMessageRecord[]> {
    const { workspaceId } = this;
    return this.model<ConversationMessageRecord>(ConversationMessageRecord)
      .find({ workspaceId })
      .sort({ at: 1, _id: 1 })
      .lean<ConversationMessageRecord[]>();
  }

  /** Events about emails and leads, in order. */
  async events(): Promise<EventRecord[]> {
    const { workspaceId } = this;
    const found = await this.model<EventRecord>(EventRecord)
      .find({ workspaceId })
      .sort({ at: 1, _id: 1 })
      .lean<EventRecord[]>();
    return found.filter(({ type }) => /^(email|lead)\./.test(type));
  }

  async stats({ campaignId }: Pick<Written, 'campaignId'>): Promise<CampaignSums> {
    const sums = (await this.get(CampaignCountersService).sum(this.workspaceId, [campaignId])).get(campaignId);
    if (!sums) throw new Error('no figures');
    return sums;
  }
}
