import { type WorkspaceScope } from '@domain/access';
import {
  type CampaignResponse,
  CampaignRepository,
  CampaignsService,
  CampaignStatusService,
  requireMove,
} from '@domain/campaigns';
import { Injectable } from '@nestjs/common';
import { type ReadinessResponse, toReadiness } from '../dto/readiness.dto';
import { campaignNotReady } from '../sending.errors';
import { launchChecks } from './launch-checks';
import { LaunchInspectionService } from './launch-inspection.service';

/** Starting campaigns: only those that can send. */
@Injectable()
export class CampaignLaunchService {
  constructor(
    private readonly campaigns: CampaignRepository,
    private readonly inspection: LaunchInspectionService,
    private readonly transitions: CampaignStatusService,
    private readonly shown: CampaignsService,
  ) {}

  /** Whether the campaign could start now, check by check; says it of an active one, too. @throws NOT_FOUND */
  async readiness(workspace: WorkspaceScope, campaignId: string): Promise<ReadinessResponse> {
    const campaign = await this.campaigns.find(workspace, campaignId);
    return toReadiness(launchChecks(await this.inspection.facts(campaign)));
  }

  /**
   * Makes a draft, paused or completed campaign active. Answers at once: its mailboxes send when their turns come.
   * @throws NOT_FOUND, CONFLICT naming the status, CAMPAIGN_NOT_READY naming every check that failed, CONFLICT when the
   *   campaign was changed while it was checked
   */
  async start(workspace: WorkspaceScope, campaignId: string): Promise<CampaignResponse> {
    const campaign = await this.campaigns.find(workspace, campaignId);
    requireMove('start', campaign.status);
    const checks = launchChecks(await this.inspection.facts(campaign));
    const failed = checks.filter(({ status }) => status === 'failed');
    if (failed.length > 0) throw campaignNotReady(failed.map(({ check, message }) => ({ field: check, message })));
    const moved = await this.transitions.activate(workspace, campaignId, campaign.revision);
    await this.transitions.notify(workspace, moved);
    return this.shown.show(workspace, moved.after);
  }
}
