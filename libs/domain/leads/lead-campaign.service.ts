import { type WorkspaceScope } from '@domain/access';
import {
  CampaignCountersService,
  type CampaignRecord,
  CampaignRepository,
  CampaignStatusService,
  type LeadTally,
} from '@domain/campaigns';
import { MailboxLeaseService } from '@domain/sends';
import { Injectable } from '@nestjs/common';
import { ClockPort } from '@platform/clock';
import { conflict } from '@platform/errors';
import { type Types } from 'mongoose';

type Workspace = Pick<WorkspaceScope, 'workspaceId'>;

/** Opens the campaign of leads for new ones, and schedules its mailboxes for them. */
@Injectable()
export class LeadCampaignService {
  constructor(
    private readonly campaigns: CampaignRepository,
    private readonly counters: CampaignCountersService,
    private readonly transitions: CampaignStatusService,
    private readonly leases: MailboxLeaseService,
    private readonly clock: ClockPort,
  ) {}

  /** A campaign to which leads may be added. @throws NOT_FOUND, CONFLICT for an archived campaign */
  async open(workspace: Workspace, campaignId: string): Promise<CampaignRecord> {
    const campaign = await this.campaigns.find(workspace, campaignId);
    if (campaign.status === 'archived') throw conflict('This campaign is archived; leads cannot be added to it');
    return campaign;
  }

  /** Number of leads of a campaign by status, and their sum. */
  async countByStatus(
    { workspaceId }: Workspace,
    campaignId: Types.ObjectId,
  ): Promise<Record<LeadTally, number> | undefined> {
    return (await this.counters.sum(workspaceId, [campaignId])).get(campaignId.toHexString())?.leads;
  }

  /**
   * Records that the campaign has new leads to contact, in the transaction that adds them. Restarts a completed
   * campaign. Call `scheduleSending` with the result after the transaction.
   * @throws NOT_FOUND when the campaign was deleted
   */
  async onLeadsAdded(workspace: WorkspaceScope, campaignId: Types.ObjectId): Promise<CampaignRecord> {
    const { workspaceId } = workspace;
    let campaign = await this.campaigns.onLeadsAdded(workspaceId, campaignId);
    if (campaign.status === 'completed') {
      campaign = (await this.transitions.activate(workspace, campaignId.toHexString())).after;
    }
    if (campaign.status === 'active')
      await this.leases.schedule(workspaceId, getMailboxIds(campaign), this.clock.now());
    return campaign;
  }

  /** Enqueues the mailboxes that `onLeadsAdded` has scheduled; call it after the transaction. */
  async scheduleSending({ workspaceId }: Workspace, campaign: CampaignRecord): Promise<void> {
    if (campaign.status === 'active') await this.leases.enqueue(workspaceId, getMailboxIds(campaign));
  }
}

function getMailboxIds({ mailboxes }: CampaignRecord): string[] {
  return mailboxes.map((id) => id.toHexString());
}
