import { type WorkspaceScope } from '@domain/access';
import { AuditService } from '@domain/audit';
import { type MessageResponse } from '@domain/identity';
import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import { ClockPort } from '@platform/clock';
import { writeConflict, TransactionService } from '@platform/database';
import { type Model } from 'mongoose';
import { auditTarget } from './campaign-audit';
import { findCampaign } from './campaign-lookup';
import { CampaignMailboxesService } from './campaign-mailboxes.service';
import { requireMove } from './campaign-status';
import { CampaignRecord } from './schemas/campaign.record';

/** The end of a campaign. What it has sent stays: a late answer, bounce or opt-out finds what it refers to. */
@Injectable()
export class CampaignDeletionService {
  constructor(
    @InjectModel(CampaignRecord.name) private readonly campaigns: Model<CampaignRecord>,
    private readonly senders: CampaignMailboxesService,
    private readonly audit: AuditService,
    private readonly transactions: TransactionService,
    private readonly clock: ClockPort,
  ) {}

  /**
   * The campaign is gone from the API at once and counts for no cap any more; the worker erases its leads and versions.
   * @throws NOT_FOUND, CONFLICT for an active campaign
   */
  async delete(workspace: WorkspaceScope, campaignId: string): Promise<MessageResponse> {
    await this.transactions.run(async () => {
      const { _id, workspaceId, name, status, revision } = await findCampaign(this.campaigns, workspace, campaignId);
      requireMove('delete', status);
      const { matchedCount } = await this.campaigns.updateOne(
        { _id, workspaceId, revision, deletedAt: null },
        { $set: { deletedAt: this.clock.now(), erasing: true }, $inc: { revision: 1 } },
      );
      if (matchedCount === 0) throw writeConflict('The campaign');
      await this.senders.erase(workspace, _id);
      const changes = { name: { from: name, to: null } };
      await this.audit.record(workspace, { action: 'campaign.deleted', target: auditTarget(_id), changes });
    });
    return { message: 'Campaign deleted' };
  }
}
