import { systemScope, type WorkspaceScope } from '@domain/access';
import { EventsService } from '@domain/events';
import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import { TransactionService } from '@platform/database';
import { notFound } from '@platform/errors';
import { type Model, type Types } from 'mongoose';
import { type IdLike } from './campaign-counters.service';
import { findCampaign } from './campaign-lookup';
import { CampaignRecord } from './schemas/campaign.record';

type Workspace = Pick<WorkspaceScope, 'workspaceId'>;

/** Campaigns as they are stored, for the domains that work with them. */
@Injectable()
export class CampaignRepository {
  constructor(
    @InjectModel(CampaignRecord.name) private readonly campaigns: Model<CampaignRecord>,
    private readonly events: EventsService,
    private readonly transactions: TransactionService,
  ) {}

  /** @throws NOT_FOUND, also for a malformed id, another workspace's and a deleted one */
  find(workspace: Workspace, campaignId: string): Promise<CampaignRecord> {
    return findCampaign(this.campaigns, workspace, campaignId);
  }

  /** null when it was deleted: for work that is then without an object. */
  async peek(workspaceId: IdLike, campaignId: IdLike): Promise<CampaignRecord | null> {
    return this.campaigns.findOne({ workspaceId, _id: campaignId, deletedAt: null }).lean<CampaignRecord>();
  }

  /** Those of these that exist; one query by primary key. Joins a running transaction. */
  async existing(ids: readonly Types.ObjectId[]): Promise<CampaignRecord[]> {
    return this.campaigns
      .find({ _id: { $in: ids }, deletedAt: null })
      .setOptions({ allWorkspaces: 'the ids are those of records that name their workspaces' })
      .lean<CampaignRecord[]>();
  }

  /** Their names by id, without those that are gone; one query by primary key. Joins a running transaction. */
  async names(ids: readonly Types.ObjectId[]): Promise<Map<string, string>> {
    if (ids.length === 0) return new Map();
    const found = await this.campaigns
      .find({ _id: { $in: ids }, deletedAt: null }, { name: 1 })
      .setOptions({ allWorkspaces: 'the ids are those of records that name their workspaces' })
      .lean<Pick<CampaignRecord, '_id' | 'name'>[]>();
    return new Map(found.map(({ _id, name }) => [_id.toHexString(), name]));
  }

  /**
   * Leads were added or have come back, so that there is somebody to write to: a campaign that is about to complete looks
   * again, and one that had completed is active again. Call it in the transaction that brings them.
   * @returns the campaign as it is then
   * @throws NOT_FOUND when it was deleted
   */
  async onLeadsAdded(workspaceId: IdLike, campaignId: IdLike): Promise<CampaignRecord> {
    return this.transactions.run(async () => {
      const campaign = { workspaceId, _id: campaignId, deletedAt: null };
      const found = await this.campaigns
        .findOneAndUpdate(campaign, { $inc: { leadsRevision: 1 } }, { returnDocument: 'after', timestamps: false })
        .lean<CampaignRecord | null>();
      if (!found) throw notFound('Campaign');
      return found.status === 'completed' ? this.#reopen(found) : found;
    });
  }

  async #reopen({ _id, workspaceId, name }: CampaignRecord): Promise<CampaignRecord> {
    const changes = { $set: { status: 'active', completedAt: null }, $inc: { revision: 1 } } as const;
    const reopened = await this.campaigns
      .findOneAndUpdate({ _id, workspaceId }, changes, { returnDocument: 'after' })
      .orFail()
      .lean<CampaignRecord>();
    const campaignId = _id.toHexString();
    await this.events.record(systemScope(workspaceId.toHexString()), {
      type: 'campaign.resumed',
      dedupeKey: `campaign.resumed:${campaignId}:${reopened.revision}`,
      about: { campaignId },
      data: { name, reason: 'leads were added' },
    });
    return reopened;
  }
}
