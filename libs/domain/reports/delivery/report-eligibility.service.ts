import { WorkspaceRepository } from '@domain/identity';
import { SuppressionsService } from '@domain/suppressions';
import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import { type Model } from 'mongoose';
import { RecipientCampaignsListener } from '../recipients/recipient-campaigns.listener';
import { ReportRecipientRecord } from '../schemas/report-recipient.record';
import { type ReportRecord } from '../schemas/report.record';
import { type ReportFacts } from './report-decision';

/** Whom a report is for, as they are now. */
export interface RecipientEligibility {
  readonly facts: Pick<ReportFacts, 'recipient' | 'isSuppressed'>;
  /** null when they are gone, or their workspace is. */
  readonly recipient: ReportRecipientRecord | null;
}

/** Reads what may forbid a report: before it is composed, and once more right before a server is given it. */
@Injectable()
export class ReportEligibilityService {
  constructor(
    @InjectModel(ReportRecipientRecord.name) private readonly recipients: Model<ReportRecipientRecord>,
    private readonly campaigns: RecipientCampaignsListener,
    private readonly suppressions: SuppressionsService,
    private readonly workspaces: WorkspaceRepository,
  ) {}

  /** One after the other: a transaction takes no calls side by side. Deleted campaigns are left out of the recipient. */
  async check({ workspaceId, recipientId, email, trigger }: ReportRecord): Promise<RecipientEligibility> {
    const workspace = workspaceId.toHexString();
    const alive = await this.workspaces.filterAlive([workspace]);
    const stored = await this.recipients.findOne({ _id: recipientId, workspaceId }).lean<ReportRecipientRecord>();
    const isSuppressed = await this.suppressions.isSuppressed(workspace, email);
    if (!stored || !alive.has(workspace)) return { facts: { recipient: null, isSuppressed }, recipient: null };
    const campaignIds = await this.campaigns.remaining(workspaceId, stored.campaignIds);
    const hasSubject = stored.reportType === 'workspace' || campaignIds.length > 0;
    const { active, email: present, schedule } = stored;
    const isWanted = trigger === 'manual' || schedule.enabled;
    return {
      facts: { recipient: { active, isWanted, email: present, hasSubject }, isSuppressed },
      recipient: Object.assign(stored, { campaignIds }),
    };
  }
}
