import { type WorkspaceScope } from '@domain/access';
import { type CampaignRecord } from '@domain/campaigns';
import { Injectable } from '@nestjs/common';
import { parseId } from '@platform/database';
import { type Types } from 'mongoose';
import { ERASED_DOMAIN } from './lead-domains';
import { LeadCampaignService } from './lead-campaign.service';
import { type LeadConditions, leadFilter } from './lead.filter';
import { type LeadPlace, LeadWalkRepository } from './lead-walk.repository';
import { type LeadRecord } from './schemas/lead.record';

/** Leads that are read at once. */
const BATCH = 1_000;

export type LeadAddress = Pick<LeadRecord, '_id' | 'email'>;

/** One of them on the way through all of them. */
export interface PlacedLead extends LeadPlace {
  readonly email: string;
  /** Not removed, and not erased. */
  readonly isThere: boolean;
}

/** The addresses of leads, for whoever finds out something about them. */
@Injectable()
export class LeadRepository {
  constructor(
    private readonly campaigns: LeadCampaignService,
    private readonly walk: LeadWalkRepository,
  ) {}

  /**
   * Those of a campaign that the list would show under these conditions, newest first, without leads that were erased.
   * @param most so many at most, the newest
   * @returns null for a campaign that the workspace does not have
   */
  async of(
    { workspaceId }: Pick<WorkspaceScope, 'workspaceId'>,
    campaignId: string,
    conditions: LeadConditions,
    most: number,
  ): Promise<{ campaignId: Types.ObjectId; leads: LeadAddress[] } | null> {
    const _id = parseId(campaignId);
    const campaign = _id && (await this.campaigns.peek(workspaceId, _id));
    if (!campaign) return null;
    const filter = await this.#filter(campaign, conditions);
    const leads: LeadAddress[] = [];
    for await (const batch of this.walk.batches(filter, BATCH, ['email', 'domain'])) {
      for (const { _id: leadId, email, domain } of batch) {
        if (domain !== ERASED_DOMAIN && leads.length < most) leads.push({ _id: leadId, email });
      }
      if (leads.length >= most) break;
    }
    return { campaignId: campaign._id, leads };
  }

  /**
   * The next of them behind a place, those that are gone included: for whoever goes through all of them in many goes. Less than
   * `most` means that there are no more.
   * @returns null for a campaign that the workspace does not have
   */
  async next(
    { workspaceId }: Pick<WorkspaceScope, 'workspaceId'>,
    campaignId: Types.ObjectId,
    conditions: LeadConditions,
    { after, most }: { after: LeadPlace | null; most: number },
  ): Promise<PlacedLead[] | null> {
    const campaign = await this.campaigns.peek(workspaceId, campaignId);
    if (!campaign) return null;
    const filter = await this.#filter(campaign, conditions);
    const batches = this.walk.batches(filter, most, ['email', 'domain', 'status'], after ?? undefined);
    for await (const batch of batches) return batch.map(placedOf);
    return [];
  }

  async #filter(campaign: CampaignRecord, conditions: LeadConditions): Promise<Record<string, unknown>> {
    const sequence = conditions.stepId === undefined ? null : await this.campaigns.sequence(campaign);
    return {
      workspaceId: campaign.workspaceId,
      campaignId: campaign._id,
      ...leadFilter(conditions, sequence?.steps[0]?._id.toHexString() ?? null),
    };
  }
}

function placedOf({
  _id,
  createdAt,
  email,
  domain,
  status,
}: Pick<LeadRecord, '_id' | 'createdAt' | 'email' | 'domain' | 'status'>) {
  return { _id, createdAt, email, isThere: status !== 'removed' && domain !== ERASED_DOMAIN };
}
