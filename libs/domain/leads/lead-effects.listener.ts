import { type WorkspaceScope } from '@domain/access';
import { type CampaignUse, CampaignHookRegistry, UNWRITTEN } from '@domain/campaigns';
import { type SuppressedValues, type SuppressionListener, SuppressionHookRegistry } from '@domain/suppressions';
import { Injectable, type OnModuleInit } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import { parseId } from '@platform/database';
import { type Model, Types } from 'mongoose';
import { LeadCampaignService } from './lead-campaign.service';
import { type LeadsToStop, type LeadStop, LeadStopService } from './lead-stop.service';
import { LeadRecord, type StopReason } from './schemas/lead.record';

/** Leads that are erased at once. */
const BATCH = 1_000;
/** Paused leads of a campaign that are looked through at most. */
const MOST_PAUSED = 10_000;

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
export class LeadEffectsListener implements CampaignUse, SuppressionListener, OnModuleInit {
  constructor(
    @InjectModel(LeadRecord.name) private readonly leads: Model<LeadRecord>,
    private readonly campaigns: LeadCampaignService,
    private readonly stops: LeadStopService,
    private readonly campaignUses: CampaignHookRegistry,
    private readonly suppressionEffects: SuppressionHookRegistry,
  ) {}

  onModuleInit(): void {
    this.campaignUses.register(this);
    this.suppressionEffects.register(this);
  }

  /** Every lead at these addresses and domains is stopped, in all campaigns. */
  async suppressed({ workspaceId }: WorkspaceScope, values: SuppressedValues): Promise<void> {
    for (const [which, how] of stopsFor(values)) await this.stops.stop(workspaceId, which, how);
  }

  /** The first thousand of them at once; the rest follows with `suppressed`, or when it would be their turn. */
  async recorded({ workspaceId }: WorkspaceScope, values: SuppressedValues): Promise<void> {
    for (const [which, how] of stopsFor(values)) await this.stops.write(workspaceId, which, how);
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

  /** Leads that are active, or paused: no others are written to again. */
  async writersOf(
    { workspaceId }: Pick<WorkspaceScope, 'workspaceId'>,
    campaignId: Types.ObjectId,
    mailboxIds: readonly Types.ObjectId[],
  ): Promise<readonly Types.ObjectId[]> {
    const paused = { workspaceId, campaignId, status: 'paused' } as const;
    // Paused leads are in no row of their mailbox. So many are not looked through; all mailboxes stay.
    if ((await this.leads.countDocuments(paused, { limit: MOST_PAUSED })) === MOST_PAUSED) return mailboxIds;
    const left = await this.leads.distinct('mailboxId', { ...paused, mailboxId: { $in: mailboxIds } });
    const needed = new Set(left.map(String));
    for (const mailboxId of mailboxIds) {
      const isActive = { workspaceId, campaignId, mailboxId, status: 'active' } as const;
      if (!needed.has(String(mailboxId)) && (await this.leads.exists(isActive))) needed.add(String(mailboxId));
    }
    return mailboxIds.filter((id) => needed.has(String(id)));
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

/** One kind after the other: each has its index. */
function stopsFor({ addresses, domains, source }: SuppressedValues): [LeadsToStop, LeadStop][] {
  return [
    ...(addresses.length > 0 ? [[{ emails: addresses }, { reason: REASON[source] }] as [LeadsToStop, LeadStop]] : []),
    // Whatever was found out about one address says of the others only that they must not be written to.
    ...(domains.length > 0 ? [[{ domains }, { reason: 'suppressed' }] as [LeadsToStop, LeadStop]] : []),
  ];
}
