import { type WorkspaceScope } from '@domain/access';
import { type CampaignUse, CampaignUses, UNWRITTEN } from '@domain/campaigns';
import { type SuppressedValues, type SuppressionEffect, SuppressionEffects } from '@domain/suppressions';
import { Injectable, type OnModuleInit } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import { parseId } from '@platform/database';
import { type Model, Types } from 'mongoose';
import { LeadCampaigns } from './lead.campaigns.service';
import { LeadStops } from './lead.stops.service';
import { LeadRecord, type StopReason } from './schemas/lead.record';

/** Leads that are erased at once. */
const BATCH = 1_000;

/** What an address on the list says about the leads that have it. */
const REASON: Record<SuppressedValues['source'], StopReason> = {
  manual: 'suppressed',
  import: 'suppressed',
  crm: 'suppressed',
  unsubscribe: 'unsubscribed',
  bounce: 'bounced_hard',
  complaint: 'complained',
};

/** What happens to leads because of what happens in the domains below, which do not know them. */
@Injectable()
export class LeadEffects implements CampaignUse, SuppressionEffect, OnModuleInit {
  constructor(
    @InjectModel(LeadRecord.name) private readonly leads: Model<LeadRecord>,
    private readonly campaigns: LeadCampaigns,
    private readonly stops: LeadStops,
    private readonly campaignUses: CampaignUses,
    private readonly suppressionEffects: SuppressionEffects,
  ) {}

  onModuleInit(): void {
    this.campaignUses.register(this);
    this.suppressionEffects.register(this);
  }

  /** Every lead at these addresses and domains is stopped, in all campaigns. */
  async suppressed({ workspaceId }: WorkspaceScope, { addresses, domains, source }: SuppressedValues): Promise<void> {
    // One kind after the other: each has its index.
    if (addresses.length > 0) await this.stops.stop(workspaceId, { emails: addresses }, { reason: REASON[source] });
    // Whatever was found out about one address says of the others only that they must not be written to.
    if (domains.length > 0) await this.stops.stop(workspaceId, { domains }, { reason: 'suppressed' });
  }

  /** What was stopped stays stopped. */
  async lifted(): Promise<void> {}

  /** Leads that are still to be sent a step, by the step that is next; those before their first count for the first. */
  async leadsByStep(
    { workspaceId }: Pick<WorkspaceScope, 'workspaceId'>,
    campaignId: string,
  ): Promise<Map<string, number>> {
    const campaign = await this.campaigns.find({ workspaceId }, campaignId);
    const groups = await this.leads.aggregate<{ _id: Types.ObjectId | null; count: number }>([
      {
        $match: {
          workspaceId: new Types.ObjectId(workspaceId),
          campaignId: campaign._id,
          status: { $in: ['active', 'paused'] },
        },
      },
      { $group: { _id: '$stepId', count: { $sum: 1 } } },
    ]);
    const counts = new Map(groups.map(({ _id, count }) => [_id?.toHexString() ?? UNWRITTEN, count]));
    return counts;
  }

  /** The campaign was deleted, and its leads with it. */
  async erase(
    { workspaceId }: Pick<WorkspaceScope, 'workspaceId'>,
    campaign: string,
    signal: AbortSignal,
  ): Promise<void> {
    const campaignId = parseId(campaign);
    if (!campaignId) return;
    for (;;) {
      signal.throwIfAborted();
      const batch = await this.leads
        .find({ workspaceId, campaignId }, { _id: 1 })
        .limit(BATCH)
        .lean<{ _id: Types.ObjectId }[]>();
      if (batch.length === 0) return;
      await this.leads.deleteMany({ workspaceId, campaignId, _id: { $in: batch.map(({ _id }) => _id) } });
    }
  }
}
