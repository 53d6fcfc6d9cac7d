import { type WorkspaceScope } from '@domain/access';
import {
  CampaignCountersService,
  type CampaignRecord,
  CampaignRepository,
  CampaignStatusService,
  type LeadTally,
  type PublishedSequence,
  SequencesService,
} from '@domain/campaigns';
import { MailboxLeaseService } from '@domain/sends';
import { Injectable } from '@nestjs/common';
import { ClockPort } from '@platform/clock';
import { conflict } from '@platform/errors';
import { type Types } from 'mongoose';

type Workspace = Pick<WorkspaceScope, 'workspaceId'>;
export type LeadChanges = Partial<Record<LeadTally, number>>;

/** What leads have to do with their campaign: counting them there, and telling it that there is somebody to write to. */
@Injectable()
export class LeadCampaignService {
  constructor(
    private readonly campaigns: CampaignRepository,
    private readonly sequences: SequencesService,
    private readonly counters: CampaignCountersService,
    private readonly transitions: CampaignStatusService,
    private readonly leases: MailboxLeaseService,
    private readonly clock: ClockPort,
  ) {}

  /** @throws NOT_FOUND */
  find(workspace: Workspace, campaignId: string): Promise<CampaignRecord> {
    return this.campaigns.find(workspace, campaignId);
  }

  /** A campaign that leads may be added to. @throws NOT_FOUND, CONFLICT for an archived one */
  async open(workspace: Workspace, campaignId: string): Promise<CampaignRecord> {
    const campaign = await this.find(workspace, campaignId);
    if (campaign.status === 'archived')
      throw conflict('This campaign is archived; leads can only be added to one that is not');
    return campaign;
  }

  /** null when it was deleted. */
  peek(workspaceId: string, campaignId: Types.ObjectId): Promise<CampaignRecord | null> {
    return this.campaigns.peek(workspaceId, campaignId);
  }

  /** What it sends now; null while it has no sequence. */
  sequence(campaign: CampaignRecord): Promise<PublishedSequence | null> {
    return this.sequences.current(campaign);
  }

  /** Leads of the workspace, in all campaigns. */
  countLeads({ workspaceId }: Workspace): Promise<number> {
    return this.counters.leadsOfWorkspace(workspaceId);
  }

  /** Leads of a campaign by status, and their sum. */
  async countByStatus(
    { workspaceId }: Workspace,
    campaignId: Types.ObjectId,
  ): Promise<Record<LeadTally, number> | undefined> {
    return (await this.counters.of(workspaceId, [campaignId])).get(campaignId.toHexString())?.leads;
  }

  /** Counts changes of leads; in their transaction. */
  async count({ workspaceId }: Workspace, campaignId: Types.ObjectId, leads: LeadChanges): Promise<void> {
    await this.counters.count(workspaceId, campaignId, null, { leads });
  }

  /**
   * There are leads to write to that were not there before; in the transaction that makes them so. A completed campaign is
   * started again. Call `wake` with the answer after the transaction.
   * @throws NOT_FOUND when the campaign was deleted
   */
  async onLeadsAdded(workspace: WorkspaceScope, campaignId: Types.ObjectId): Promise<CampaignRecord> {
    const { workspaceId } = workspace;
    let campaign = await this.campaigns.onLeadsAdded(workspaceId, campaignId);
    if (campaign.status === 'completed') {
      campaign = (await this.transitions.activate(workspace, campaignId.toHexString())).after;
    }
    if (campaign.status === 'active') await this.leases.schedule(workspaceId, mailboxesOf(campaign), this.clock.now());
    return campaign;
  }

  /** Asks for the turns that `came` planted; after the transaction. */
  async scheduleSending({ workspaceId }: Workspace, campaign: CampaignRecord): Promise<void> {
    if (campaign.status === 'active') await this.leases.enqueue(workspaceId, mailboxesOf(campaign));
  }
}

function mailboxesOf({ mailboxes }: CampaignRecord): string[] {
  return mailboxes.map((id) => id.toHexString());
}
