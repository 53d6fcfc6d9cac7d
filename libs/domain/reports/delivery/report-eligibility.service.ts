import { CampaignRepository } from '@domain/campaigns';
import { WorkspaceRepository } from '@domain/identity';
import { SuppressionsService } from '@domain/suppressions';
import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import { type Model } from 'mongoose';
import { listExistingCampaigns } from '../recipients/recipient-campaigns';
import { ReportRecipientRecord } from '../schemas/report-recipient.record';
import { type ReportRecord } from '../schemas/report.record';
import { type ReportSendFacts } from './report-decision';

/** The current recipient of a report. */
export interface RecipientEligibility {
  readonly facts: Pick<ReportSendFacts, 'recipient' | 'isSuppressed'>;
  /** null when the recipient or its workspace is deleted. */
  readonly recipient: ReportRecipientRecord | null;
}

/** Reads the facts that may forbid a report: before it is composed, and again right before the handover. */
@Injectable()
export class ReportEligibilityService {
  constructor(
    @InjectModel(ReportRecipientRecord.name) private readonly recipients: Model<ReportRecipientRecord>,
    private readonly campaigns: CampaignRepository,
    private readonly suppressions: SuppressionsService,
    private readonly workspaces: WorkspaceRepository,
  ) {}

  /** Reads in sequence: a transaction allows no parallel calls. Deleted campaigns are left out of the recipient. */
  async check({ workspaceId, recipientId, email, trigger }: ReportRecord): Promise<RecipientEligibility> {
    const workspace = workspaceId.toHexString();
    const alive = await this.workspaces.filterAlive([workspace]);
    const stored = await this.recipients.findOne({ _id: recipientId, workspaceId }).lean<ReportRecipientRecord>();
    const isSuppressed = await this.suppressions.isSuppressed(workspace, email);
    if (!stored || !alive.has(workspace)) return { facts: { recipient: null, isSuppressed }, recipient: null };
    const campaignIds = await listExistingCampaigns(this.campaigns, workspaceId, stored.campaignIds);
    const hasSubject = stored.reportType === 'workspace' || campaignIds.length > 0;
    const { active, email: present, schedule } = stored;
    const isWanted = trigger === 'manual' || schedule.enabled;
    return {
      facts: { recipient: { active, isWanted, email: present, hasSubject }, isSuppressed },
      recipient: Object.assign(stored, { campaignIds }),
    };
  }
}
