import { type WorkspaceScope } from '@domain/access';
import { type CampaignHooks, CAMPAIGN_HOOKS } from '@domain/campaigns';
import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import { Listens } from '@platform/hooks';
import { type Model } from 'mongoose';
import { ReportRecipientRecord } from '../schemas/report-recipient.record';

/**
 * Removes deleted campaigns from recipients. A recipient without any other campaign keeps its schedule; its reports
 * are withheld.
 */
@Injectable()
@Listens(CAMPAIGN_HOOKS)
export class ReportRecipientCampaignListener implements CampaignHooks {
  constructor(@InjectModel(ReportRecipientRecord.name) private readonly recipients: Model<ReportRecipientRecord>) {}

  async eraseCampaign({ workspaceId }: Pick<WorkspaceScope, 'workspaceId'>, campaignId: string): Promise<void> {
    await this.recipients.updateMany(
      { workspaceId, campaignIds: campaignId },
      { $pull: { campaignIds: campaignId } },
      { timestamps: false },
    );
  }
}
