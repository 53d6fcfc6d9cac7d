import { SendWithholding } from '@domain/sends';
import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import { Transactions } from '@platform/database';
import { type Model, type Types } from 'mongoose';
import { LeadCampaigns } from './lead.campaigns.service';
import { LeadRecord } from './schemas/lead.record';

/** Pauses that a person asks for. */
@Injectable()
export class LeadPausing {
  constructor(
    @InjectModel(LeadRecord.name) private readonly leads: Model<LeadRecord>,
    private readonly campaigns: LeadCampaigns,
    private readonly withholding: SendWithholding,
    private readonly transactions: Transactions,
  ) {}

  /**
   * Pauses those of these leads that are active, and returns when nothing more is given to a server for them. When they
   * would have been due is kept.
   * @returns how many
   */
  async pause(
    { workspaceId, campaignId }: { workspaceId: Types.ObjectId; campaignId: Types.ObjectId },
    leadIds: readonly Types.ObjectId[],
  ): Promise<number> {
    const workspace = { workspaceId: workspaceId.toHexString() };
    const count = await this.transactions.run(async () => {
      const { matchedCount } = await this.leads.updateMany(
        { workspaceId, campaignId, _id: { $in: leadIds }, status: 'active' },
        { $set: { status: 'paused', stopReason: 'manual', resumeAt: null } },
      );
      await this.campaigns.count(workspace, campaignId, { active: -matchedCount, paused: matchedCount });
      return matchedCount;
    });
    await this.withholding.withhold(
      workspace.workspaceId,
      { campaignId: campaignId.toHexString(), leadIds: leadIds.map((id) => id.toHexString()) },
      'The lead was paused',
    );
    return count;
  }
}
