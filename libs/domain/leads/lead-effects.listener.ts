import { type WorkspaceScope } from '@domain/access';
import { type CampaignHooks, CAMPAIGN_HOOKS, UNWRITTEN, CampaignRepository } from '@domain/campaigns';
import { type SuppressedValues, type SuppressionHooks, SUPPRESSION_HOOKS } from '@domain/suppressions';
import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import { parseId } from '@platform/database';
import { Listens } from '@platform/hooks';
import { type Model, Types } from 'mongoose';
import { type LeadsToStop, type LeadStop, LeadStopService } from './lead-stop.service';
import { LeadRecord, type StopReason } from './schemas/lead.record';

/** Number of leads that are deleted at once. */
const BATCH = 1_000;
/** Maximum number of paused leads of a campaign that are searched. */
const MOST_PAUSED = 10_000;

/** The stop reason of leads by the source of a suppression. */
const REASON: Record<SuppressedValues['source'], StopReason> = {
  manual: 'suppressed',
  import: 'suppressed',
  crm: 'suppressed',
  unsubscribe: 'unsubscribed',
  bounce: 'bounced_hard',
  complaint: 'complained',
};

/** Applies changes of campaigns and suppressions to leads. */
@Injectable()
@Listens(CAMPAIGN_HOOKS)
@Listens(SUPPRESSION_HOOKS)
export class LeadEffectsListener implements CampaignHooks, SuppressionHooks {
  constructor(
    @InjectModel(LeadRecord.name) private readonly leads: Model<LeadRecord>,
    private readonly campaigns: CampaignRepository,
    private readonly stops: LeadStopService,
  ) {}

  /** Stops every lead at these addresses and domains, in all campaigns. */
  async suppressed({ workspaceId }: WorkspaceScope, values: SuppressedValues): Promise<void> {
    for (const [which, how] of listStops(values)) await this.stops.stop(workspaceId, which, how);
  }

  /** Stops the first 1000 leads in the transaction; `suppressed` stops the others. */
  async recorded({ workspaceId }: WorkspaceScope, values: SuppressedValues): Promise<void> {
    for (const [which, how] of listStops(values)) await this.stops.write(workspaceId, which, how);
  }

  /** Number of open leads by their next step; leads before the first step count under `UNWRITTEN`. */
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

  /** The mailboxes that still have active or paused leads of the campaign. */
  async writersOf(
    { workspaceId }: Pick<WorkspaceScope, 'workspaceId'>,
    campaignId: Types.ObjectId,
    mailboxIds: readonly Types.ObjectId[],
  ): Promise<readonly Types.ObjectId[]> {
    const paused = { workspaceId, campaignId, status: 'paused' } as const;
    // Paused leads are not indexed by mailbox: with too many of them, all mailboxes count as needed.
    if ((await this.leads.countDocuments(paused, { limit: MOST_PAUSED })) === MOST_PAUSED) return mailboxIds;
    const left = await this.leads.distinct('mailboxId', { ...paused, mailboxId: { $in: mailboxIds } });
    const needed = new Set(left.map(String));
    for (const mailboxId of mailboxIds) {
      const isActive = { workspaceId, campaignId, mailboxId, status: 'active' } as const;
      if (!needed.has(String(mailboxId)) && (await this.leads.exists(isActive))) needed.add(String(mailboxId));
    }
    return mailboxIds.filter((id) => needed.has(String(id)));
  }

  /** Deletes the leads of a deleted campaign. */
  async eraseCampaign(
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

/** One stop for each kind of value, because each has its own index. */
function listStops({ addresses, domains, source }: SuppressedValues): [LeadsToStop, LeadStop][] {
  return [
    ...(addresses.length > 0 ? [[{ emails: addresses }, { reason: REASON[source] }] as [LeadsToStop, LeadStop]] : []),
    // The finding about one address says of other addresses of the domain only that they are suppressed.
    ...(domains.length > 0 ? [[{ domains }, { reason: 'suppressed' }] as [LeadsToStop, LeadStop]] : []),
  ];
}
