import { CampaignRepository } from '@domain/campaigns';
import { LeadRepository } from '@domain/leads';
import { ReturnedSendsRepository } from '@domain/sends';
import { Injectable } from '@nestjs/common';
import { type Types } from 'mongoose';
import { type KnownMatch } from '../match/match';

/** Leads that a person says something is about. */
@Injectable()
export class KnownLeadsService {
  constructor(
    private readonly leads: LeadRepository,
    private readonly sends: ReturnedSendsRepository,
    private readonly campaigns: CampaignRepository,
  ) {}

  /** The lead with the last email that it was sent; null when it, or its campaign, is gone. */
  async find(workspaceId: Types.ObjectId, leadId: Types.ObjectId): Promise<KnownMatch | null> {
    const lead = await this.leads.find(workspaceId, leadId);
    const campaign = lead && (await this.campaigns.peek(workspaceId, lead.campaignId));
    if (!lead || !campaign) return null;
    const [send = null] = await this.sends.ofLeads(workspaceId, [leadId]);
    return { by: 'person', lead, campaign, send };
  }
}
