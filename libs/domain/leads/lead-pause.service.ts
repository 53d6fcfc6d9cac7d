import { SendRepository } from '@domain/sends';
import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import { TransactionService } from '@platform/database';
import { type Model, type Types } from 'mongoose';
import { LeadCampaignService } from './lead-campaign.service';
import { LeadRecord, type StopReason } from './schemas/lead.record';

/** Pauses of single leads: those that a person asks for, and those after a restore. */
@Injectable()
export class LeadPauseService {
  constructor(
    @InjectModel(LeadRecord.name) private readonly leads: Model<LeadRecord>,
    private readonly campaigns: LeadCampaignService,
    private readonly sends: SendRepository,
    private readonly transactions: TransactionService,
  ) {}

  /**
   * Pauses those of these leads that are active, and returns when nothing more is given to a server for them. When they
   * would have been due is kept.
   * @returns how many
   */
  async pause(
    { workspaceId, campaignId }: { workspaceId: Types.ObjectId; campaignId: Types.ObjectId },
    leadIds: readonly Types.ObjectId[],
    stopReason: StopReason = 'manual',
  ): Promise<number> {
    const workspace = { workspaceId: workspaceId.toHexString() };
    const count = await this.transactions.run(async () => {
      const { matchedCount } = await this.leads.updateMany(
        { workspaceId, campaignId, _id: { $in: leadIds }, status: 'active' },
        { $set: { status: 'paused', stopReason, resumeAt: null } },
      );
      await this.campaigns.count(workspace, campaignId, { active: -matchedCount, paused: matchedCount });
      return matchedCount;
    });
    await this.sends.withhold(
      workspace.workspaceId,
      { campaignId: campaignId.toHexString(), leadIds: leadIds.map((id) => id.toHexString()) },
      'The lead was paused',
    );
    return count;
  }
}
