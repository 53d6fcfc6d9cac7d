import { type WorkspaceScope } from '@domain/access';
import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import { type Page, PageService } from '@platform/database';
import { type Model } from 'mongoose';
import { type LeadResponse, toLead } from './dto/lead.dto';
import { type LeadQuery } from './dto/lead-requests.dto';
import { LeadCampaignService } from './lead-campaign.service';
import { isCounted, leadFilter } from './lead.filter';
import { findLead } from './lead-lookup';
import { getStep } from './lead-variables';
import { LeadRecord } from './schemas/lead.record';

/** Fields that no list shows. */
const UNLISTED = ['workspaceId', 'thread', 'domain', 'domains', 'sendId'];

/** Leads as their users see them. */
@Injectable()
export class LeadsService {
  constructor(
    @InjectModel(LeadRecord.name) private readonly leads: Model<LeadRecord>,
    private readonly campaigns: LeadCampaignService,
    private readonly pages: PageService,
  ) {}

  /**
   * Newest first. `search` looks in address, names and company. How many there are of a status, the figures know: a page
   * costs the same whatever the number of leads.
   * @throws NOT_FOUND for the campaign
   */
  async list(workspace: WorkspaceScope, campaignId: string, query: LeadQuery): Promise<Page<LeadResponse>> {
    const { workspaceId } = workspace;
    const campaign = await this.campaigns.find(workspace, campaignId);
    const sequence = await this.campaigns.sequence(campaign);
    const { limit, cursor, ...conditions } = query;
    const filter = {
      workspaceId,
      campaignId: campaign._id,
      ...leadFilter(conditions, sequence?.steps[0]?._id.toHexString() ?? null),
    };
    const count = async () => (await this.campaigns.tallies(workspace, campaign._id))?.[conditions.status ?? 'total'];
    return this.pages.read(
      this.leads,
      {
        scope: workspaceId,
        filter,
        without: UNLISTED,
        page: { limit, cursor },
        ...(isCounted(conditions) && { total: async () => (await count()) ?? 0 }),
      },
      (record) => toLead(record, getStep(sequence, record)),
    );
  }

  /** @throws NOT_FOUND */
  async get(workspace: WorkspaceScope, campaignId: string, leadId: string): Promise<LeadResponse> {
    const campaign = await this.campaigns.find(workspace, campaignId);
    const record = await findLead(this.leads, workspace, campaign._id, leadId);
    return toLead(record, getStep(await this.campaigns.sequence(campaign), record));
  }
}
