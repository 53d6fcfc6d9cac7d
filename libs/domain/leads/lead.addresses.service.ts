import { type WorkspaceScope } from '@domain/access';
import { Injectable } from '@nestjs/common';
import { parseId } from '@platform/database';
import { type Types } from 'mongoose';
import { LeadCampaigns } from './lead.campaigns.service';
import { type LeadConditions, leadFilter } from './lead.filter';
import { LeadWalk } from './lead.walk.service';
import { type LeadRecord } from './schemas/lead.record';

/** Leads that are read at once. */
const BATCH = 1_000;
/** The domain of those whose data were erased: nobody is behind it. */
const ERASED_DOMAIN = 'erased.invalid';

export type LeadAddress = Pick<LeadRecord, '_id' | 'email'>;

/** The addresses of leads, for whoever finds out something about them. */
@Injectable()
export class LeadAddresses {
  constructor(
    private readonly campaigns: LeadCampaigns,
    private readonly walk: LeadWalk,
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
    const campaign = _id && (await this.campaigns.look(workspaceId, _id));
    if (!campaign) return null;
    const sequence = conditions.stepId === undefined ? null : await this.campaigns.sequence(campaign);
    const filter = {
      workspaceId: campaign.workspaceId,
      campaignId: campaign._id,
      ...leadFilter(conditions, sequence?.steps[0]?._id.toHexString() ?? null),
    };
    const leads: LeadAddress[] = [];
    for await (const batch of this.walk.batches(filter, BATCH, ['email', 'domain'])) {
      for (const { _id: leadId, email, domain } of batch) {
        if (domain !== ERASED_DOMAIN && leads.length < most) leads.push({ _id: leadId, email });
      }
      if (leads.length >= most) break;
    }
    return { campaignId: campaign._id, leads };
  }
}
