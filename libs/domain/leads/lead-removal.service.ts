import { SendRepository } from '@domain/sends';
import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import { TransactionService } from '@platform/database';
import { type Model, type Types } from 'mongoose';
import { type LeadChanges, LeadCampaignService } from './lead-campaign.service';
import { LEAD_STATUSES, LeadRecord, type LeadStatus } from './schemas/lead.record';

const REMOVABLE = LEAD_STATUSES.filter((status) => status !== 'removed');
type Campaign = { workspaceId: Types.ObjectId; campaignId: Types.ObjectId };

/** How leads leave a campaign. */
@Injectable()
export class LeadRemovalService {
  constructor(
    @InjectModel(LeadRecord.name) private readonly leads: Model<LeadRecord>,
    private readonly campaigns: LeadCampaignService,
    private readonly sends: SendRepository,
    private readonly transactions: TransactionService,
  ) {}

  /**
   * Removes those of these leads that are there, and returns when nothing more is given to a server for them. For good when
   * nothing was sent to them and nothing is on its way; otherwise they are kept with the status `removed`.
   * @returns how many
   */
  async remove(campaign: Campaign, leadIds: readonly Types.ObjectId[]): Promise<number> {
    let removed = 0;
    for (;;) {
      const count = await this.transactions.run(() => this.#removeOnce(campaign, leadIds));
      removed += count;
      // One that changed its status in that very moment has another one now.
      const left = count > 0 && count < leadIds.length && (await this.#remain(campaign, leadIds));
      if (!left) break;
    }
    const scope = { campaignId: campaign.campaignId.toHexString(), leadIds: leadIds.map((id) => id.toHexString()) };
    const withheld = await this.sends.withhold(campaign.workspaceId.toHexString(), scope, 'The lead was removed');
    await this.#forget(
      campaign,
      withheld.map(({ leadId }) => leadId),
    );
    return removed;
  }

  /** Erases removed leads whose only email was withheld: nothing was sent to them after all. */
  async #forget({ workspaceId, campaignId }: Campaign, leadIds: readonly Types.ObjectId[]): Promise<void> {
    if (leadIds.length === 0) return;
    await this.transactions.run(async () => {
      const unsent = { workspaceId, campaignId, _id: { $in: leadIds }, status: 'removed' as const, sentCount: 0 };
      const { deletedCount } = await this.leads.deleteMany(unsent);
      await this.#count({ workspaceId, campaignId }, { total: -deletedCount, removed: -deletedCount });
    });
  }

  /** Each write is guarded by the status that it takes from the figures: they are right whoever writes at the same time. */
  async #removeOnce({ workspaceId, campaignId }: Campaign, leadIds: readonly Types.ObjectId[]): Promise<number> {
    const changes: LeadChanges & { total: number; removed: number } = { total: 0, removed: 0 };
    let count = 0;
    for (const status of await this.#statuses({ workspaceId, campaignId }, leadIds)) {
      const these = { workspaceId, campaignId, _id: { $in: leadIds }, status };
      const { deletedCount } = await this.leads.deleteMany({ ...these, sentCount: 0, sendId: null });
      const reason = status === 'active' ? { stopReason: 'manual' as const } : {};
      const fields = { status: 'removed' as const, dueAt: null, resumeAt: null, ...reason };
      const { matchedCount } = await this.leads.updateMany(these, { $set: fields });
      changes[status] = -(deletedCount + matchedCount);
      changes.total -= deletedCount;
      changes.removed += matchedCount;
      count += deletedCount + matchedCount;
    }
    await this.#count({ workspaceId, campaignId }, changes);
    return count;
  }

  /** The statuses that these leads have. */
  async #statuses({ workspaceId, campaignId }: Campaign, leadIds: readonly Types.ObjectId[]): Promise<LeadStatus[]> {
    const found = await this.leads
      .find({ workspaceId, campaignId, _id: { $in: leadIds }, status: { $in: REMOVABLE } }, { _id: 0, status: 1 })
      .lean<{ status: LeadStatus }[]>();
    return [...new Set(found.map(({ status }) => status))];
  }

  async #remain({ workspaceId, campaignId }: Campaign, leadIds: readonly Types.ObjectId[]): Promise<boolean> {
    return (
      (await this.leads.exists({ workspaceId, campaignId, _id: { $in: leadIds }, status: { $in: REMOVABLE } })) !== null
    );
  }

  async #count({ workspaceId, campaignId }: Campaign, changes: LeadChanges): Promise<void> {
    await this.campaigns.count({ workspaceId: workspaceId.toHexString() }, campaignId, changes);
  }
}
