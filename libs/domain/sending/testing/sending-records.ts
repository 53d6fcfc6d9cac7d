import { type WorkspaceScope } from '@domain/access';
import { CampaignCountersService, type CampaignRecord, CampaignRepository, type CampaignSums } from '@domain/campaigns';
import { EventRecord } from '@domain/events';
import { LeadRecord } from '@domain/leads';
import { MailboxRecord } from '@domain/mailboxes';
import { MailboxLeaseRecord, SendRecord } from '@domain/sends';
import { getModelToken } from '@nestjs/mongoose';
import { type FakeClock, type TestDatabase } from '@testing';
import { type Model } from 'mongoose';

/** The fields of a campaign share that specs read. */
interface Share {
  newLeads: number;
  nextAt: Date | null;
}

/** Reads and changes the stored records of one workspace. */
export abstract class SendingRecords {
  workspace!: WorkspaceScope;

  readonly clock: FakeClock;

  protected constructor(protected readonly database: TestDatabase) {
    this.clock = database.clock;
  }

  get<T>(service: abstract new (...args: never[]) => T): T {
    return this.database.module.get<T>(service, { strict: false });
  }

  model<T>(record: { name: string }): Model<T> {
    return this.database.module.get<Model<T>>(getModelToken(record.name), { strict: false });
  }

  get workspaceId(): string {
    return this.workspace.workspaceId;
  }

  get leases(): Model<MailboxLeaseRecord> {
    return this.model<MailboxLeaseRecord>(MailboxLeaseRecord);
  }

  async leaseOf(mailboxId: string): Promise<MailboxLeaseRecord> {
    return this.leases.findOne({ _id: mailboxId, workspaceId: this.workspaceId }).orFail().lean<MailboxLeaseRecord>();
  }

  async lead(email: string): Promise<LeadRecord> {
    const { workspaceId } = this;
    return this.model<LeadRecord>(LeadRecord).findOne({ workspaceId, email }).orFail().lean<LeadRecord>();
  }

  async changeLead(email: string, fields: Partial<LeadRecord>): Promise<void> {
    await this.model<LeadRecord>(LeadRecord).updateOne({ workspaceId: this.workspaceId, email }, { $set: fields });
  }

  async changeMailbox(mailboxId: string, fields: object): Promise<void> {
    const mailboxes = this.model<MailboxRecord>(MailboxRecord);
    await mailboxes.updateOne({ _id: mailboxId, workspaceId: this.workspaceId }, { $set: fields });
  }

  /** Returns the sends to an address, in the order of their steps. */
  async sends(email: string): Promise<SendRecord[]> {
    const { workspaceId } = this;
    return this.model<SendRecord>(SendRecord).find({ workspaceId, email }).sort({ stepOrder: 1 }).lean<SendRecord[]>();
  }

  async stateOf(email: string): Promise<string | undefined> {
    return (await this.sends(email)).at(-1)?.state;
  }

  async campaignOf(campaignId: string): Promise<CampaignRecord> {
    return this.get(CampaignRepository).find(this.workspace, campaignId);
  }

  async sums(campaignId: string): Promise<CampaignSums> {
    const sums = (await this.get(CampaignCountersService).sum(this.workspaceId, [campaignId])).get(campaignId);
    if (!sums) throw new Error('no figures');
    return sums;
  }

  async share(campaignId: string, mailboxId: string): Promise<Share> {
    const shares: Model<Share> = this.model<Share>({ name: 'CampaignMailboxRecord' });
    return shares.findOne({ workspaceId: this.workspaceId, campaignId, mailboxId }).orFail().lean<Share>();
  }

  /** Returns the use of a campaign's daily limits, by name. */
  async used(campaignId: string): Promise<Record<string, number>> {
    const quotas: Model<{ name: string; used: number }> = this.model({ name: 'SendQuotaRecord' });
    const found = await quotas
      .find({ workspaceId: this.workspaceId, campaignId })
      .lean<{ name: string; used: number }[]>();
    return Object.fromEntries(found.map(({ name, used }) => [name, used]));
  }

  /** Returns the names of the workspace's sending events, sorted by name. */
  async events(): Promise<string[]> {
    const events = this.model<EventRecord>(EventRecord);
    const found = await events.find({ workspaceId: this.workspaceId }).sort({ type: 1 }).lean<EventRecord[]>();
    return found
      .map(({ type }) => type)
      .filter((type) => !/^(workspace|mailbox\.connected|campaign\.(created|started))/.test(type));
  }
}
