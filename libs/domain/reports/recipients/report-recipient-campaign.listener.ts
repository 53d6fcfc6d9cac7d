import { type WorkspaceScope } from '@domain/access';
import { type CampaignUse, CampaignHookRegistry } from '@domain/campaigns';
import { Injectable, type OnModuleInit } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import { type Model } from 'mongoose';
import { ReportRecipientRecord } from '../schemas/report-recipient.record';

/**
 * Removes deleted campaigns from recipients. A recipient without any other campaign keeps its schedule; its reports
 * are withheld.
 */
@Injectable()
export class ReportRecipientCampaignListener implements CampaignUse, OnModuleInit {
  constructor(
    @InjectModel(ReportRecipientRecord.name) private readonly recipients: Model<ReportRecipientRecord>,
    private readonly hooks: CampaignHookRegistry,
  ) {}

  onModuleInit(): void {
    this.hooks.register(this);
  }

  async erase({ workspaceId }: Pick<WorkspaceScope, 'workspaceId'>, campaignId: string): Promise<void> {
    await this.recipients.updateMany(
      { workspaceId, campaignIds: campaignId },
      { $pull: { campaignIds: campaignId } },
      { timestamps: false },
    );
  }
}
