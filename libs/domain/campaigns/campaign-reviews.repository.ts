import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import { type Model, type Types } from 'mongoose';
import { CampaignRecord } from './schemas/campaign.record';

/** What of a campaign tells whether it does its work. */
export type ReviewedCampaign = Pick<
  CampaignRecord,
  '_id' | 'name' | 'status' | 'problem' | 'startedAt' | 'sendingSchedule'
>;

const REVIEWED = { name: 1, status: 1, problem: 1, startedAt: 1, sendingSchedule: 1 } as const;

/** Campaigns for whoever sums up how they stand. */
@Injectable()
export class CampaignReviewsRepository {
  constructor(@InjectModel(CampaignRecord.name) private readonly campaigns: Model<CampaignRecord>) {}

  /**
   * Those that are under way, or were until something stopped them, one after the other, the newest first.
   * @param only those of these; null: all of the workspace
   */
  async *underWay(workspaceId: string, only: readonly Types.ObjectId[] | null): AsyncGenerator<ReviewedCampaign> {
    const found = this.campaigns
      .find(
        {
          workspaceId,
          status: { $in: ['active', 'paused'] },
          deletedAt: null,
          ...(only && { _id: { $in: [...only] } }),
        },
        REVIEWED,
      )
      .sort({ createdAt: -1, _id: -1 })
      .lean<ReviewedCampaign[]>()
      .cursor();
    yield* found as AsyncIterable<ReviewedCampaign>;
  }

  /** Those of the campaigns that there are in the workspace, with the mailboxes that they send from. */
  async senders(
    workspaceId: string,
    campaignIds: readonly Types.ObjectId[],
  ): Promise<Pick<CampaignRecord, '_id' | 'name' | 'mailboxes'>[]> {
    return this.campaigns
      .find({ workspaceId, _id: { $in: [...campaignIds] }, deletedAt: null }, { name: 1, mailboxes: 1 })
      .lean<Pick<CampaignRecord, '_id' | 'name' | 'mailboxes'>[]>();
  }
}
