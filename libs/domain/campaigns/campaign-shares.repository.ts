import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import { parseId } from '@platform/database';
import { notFound } from '@platform/errors';
import { type Model, type Types } from 'mongoose';
import { CampaignMailboxRecord } from './schemas/campaign-mailbox.record';
import { CampaignRecord } from './schemas/campaign.record';

/** What is counted in one share. */
export type CountedShare = Pick<CampaignMailboxRecord, 'mailboxId' | 'newLeads' | 'stats' | 'leads' | 'steps'>;

const COUNTED = { mailboxId: 1, newLeads: 1, stats: 1, leads: 1, steps: 1 };

/** The figures of campaigns as they are kept, share by share: for whoever compares them with a recount. */
@Injectable()
export class CampaignSharesRepository {
  constructor(
    @InjectModel(CampaignRecord.name) private readonly campaigns: Model<CampaignRecord>,
    @InjectModel(CampaignMailboxRecord.name) private readonly shares: Model<CampaignMailboxRecord>,
  ) {}

  /** Ids of the workspace's campaigns, oldest first; a deleted one has no figures any more. */
  async campaignsOf(workspaceId: string): Promise<Types.ObjectId[]> {
    const found = await this.campaigns
      .find({ workspaceId, deletedAt: null }, { _id: 1 })
      .sort({ _id: 1 })
      .lean<{ _id: Types.ObjectId }[]>();
    return found.map(({ _id }) => _id);
  }

  /** The workspace of a campaign that the operator names. @throws NOT_FOUND */
  async workspaceOf(campaignId: string): Promise<string> {
    const _id = parseId(campaignId);
    const found =
      _id &&
      (await this.campaigns
        .findOne({ _id, deletedAt: null }, { workspaceId: 1 }, { allWorkspaces: 'the operator names the campaign' })
        .lean<Pick<CampaignRecord, 'workspaceId'>>());
    if (!found) throw notFound('Campaign');
    return found.workspaceId.toHexString();
  }

  /** Joins a running transaction. */
  async of(workspaceId: string, campaignId: Types.ObjectId): Promise<CountedShare[]> {
    return this.shares.find({ workspaceId, campaignId }, COUNTED).lean<CountedShare[]>();
  }
}
