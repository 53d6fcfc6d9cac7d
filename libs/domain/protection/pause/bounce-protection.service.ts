import { systemScope } from '@domain/access';
import { type CampaignStatusChange, CampaignRepository, CampaignStatusService } from '@domain/campaigns';
import { SendWithholdingRepository } from '@domain/sends';
import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import { ClockPort } from '@platform/clock';
import { TransactionService } from '@platform/database';
import { type Model } from 'mongoose';
import { ProtectedSubjectRecord, type StopEvidence } from '../schemas/protected-subject.record';
import { pauseMessage, describeEvidence } from './pause-message';

/** Pauses a campaign of which too much came back. */
@Injectable()
export class BounceProtectionService {
  constructor(
    @InjectModel(ProtectedSubjectRecord.name) private readonly subjects: Model<ProtectedSubjectRecord>,
    private readonly campaigns: CampaignRepository,
    private readonly transitions: CampaignStatusService,
    private readonly withholding: SendWithholdingRepository,
    private readonly transactions: TransactionService,
    private readonly clock: ClockPort,
  ) {}

  /** Once: what was stopped is only made sure of, until a person has looked at it. One that is not active is left alone. */
  async stopCampaign(subject: ProtectedSubjectRecord, evidence: StopEvidence): Promise<void> {
    const workspace = systemScope(subject.workspaceId.toHexString());
    const { workspaceId } = workspace;
    const campaignId = subject.key;
    const moved = subject.stoppedAt ? null : await this.transactions.run(() => this.#pause(subject, evidence));
    if (moved) return this.transitions.notified(workspace, moved);
    const campaign = await this.campaigns.peek(workspaceId, campaignId);
    // Whoever paused it may have died before this.
    if (campaign?.status === 'paused') await this.withholding.withhold(workspaceId, { campaignId }, 'campaign paused');
  }

  async #pause(subject: ProtectedSubjectRecord, evidence: StopEvidence): Promise<CampaignStatusChange | null> {
    const { _id, workspaceId, since } = subject;
    const campaign = await this.campaigns.peek(workspaceId, subject.key);
    if (campaign?.status !== 'active') return null;
    const { matchedCount } = await this.subjects.updateOne(
      { _id, workspaceId, since, stoppedAt: null },
      { $set: { stoppedAt: this.clock.now(), pending: true, evidence } },
    );
    if (matchedCount === 0) return null;
    const problem = { code: 'bounce_rate', message: pauseMessage(subject, evidence) };
    const workspace = systemScope(workspaceId.toHexString());
    return this.transitions.stop(workspace, subject.key, problem, describeEvidence(evidence));
  }
}
