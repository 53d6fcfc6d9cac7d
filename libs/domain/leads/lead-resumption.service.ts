import { systemScope, type WorkspaceScope } from '@domain/access';
import { type CampaignRecord } from '@domain/campaigns';
import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import { ClockPort } from '@platform/clock';
import { TransactionService } from '@platform/database';
import { type Model, type Types } from 'mongoose';
import { LeadCampaignService } from './lead-campaign.service';
import { byCampaign } from './lead-tallies';
import { LeadRecord } from './schemas/lead.record';

type Paused = Pick<LeadRecord, '_id' | 'workspaceId' | 'campaignId'>;

/** Leads that are resumed in one transaction. */
const CHUNK = 500;

/** How paused leads go on. */
@Injectable()
export class LeadResumptionService {
  constructor(
    @InjectModel(LeadRecord.name) private readonly leads: Model<LeadRecord>,
    private readonly campaigns: LeadCampaignService,
    private readonly transactions: TransactionService,
    private readonly clock: ClockPort,
  ) {}

  /**
   * Makes those of these leads active that are paused, with the campaign's figures; joins the running transaction. They are
   * due when they were before the pause. After the transaction, call `LeadCampaignService.wake` with the campaign.
   * @param also further conditions, and fields to set
   * @returns how many, and the campaign when it was at least one
   */
  async resume(
    workspace: WorkspaceScope,
    campaignId: Types.ObjectId,
    leadIds: readonly Types.ObjectId[],
    also: { where?: Record<string, unknown>; set?: Partial<LeadRecord> } = {},
  ): Promise<{ count: number; campaign: CampaignRecord | null }> {
    const { workspaceId } = workspace;
    const { matchedCount: count } = await this.leads.updateMany(
      { ...also.where, workspaceId, campaignId, _id: { $in: leadIds }, status: 'paused' },
      { $set: { ...also.set, status: 'active', stopReason: null, resumeAt: null } },
    );
    if (count === 0) return { count, campaign: null };
    await this.campaigns.count(workspace, campaignId, { paused: -count, active: count });
    return { count, campaign: await this.campaigns.onLeadsAdded(workspace, campaignId) };
  }

  /** Leads whose pause is over, in all workspaces. @returns how many went on */
  async resumeDue(signal?: AbortSignal): Promise<number> {
    const now = this.clock.now();
    let resumed = 0;
    for (;;) {
      signal?.throwIfAborted();
      const due = await this.leads
        .find({ status: 'paused', resumeAt: { $gt: new Date(0), $lte: now } }, { workspaceId: 1, campaignId: 1 })
        .setOptions({ allWorkspaces: 'the worker resumes the leads of all workspaces' })
        .sort({ resumeAt: 1 })
        .limit(CHUNK)
        .lean<Paused[]>();
      for (const { campaignId, of } of byCampaign(due)) resumed += await this.#resumeOf(campaignId, of, now);
      if (due.length < CHUNK) return resumed;
    }
  }

  async #resumeOf(campaignId: Types.ObjectId, due: readonly Paused[], now: Date): Promise<number> {
    const workspaceId = due[0]?.workspaceId.toHexString() ?? '';
    const workspace = systemScope(workspaceId);
    const leadIds = due.map(({ _id }) => _id);
    if (!(await this.campaigns.peek(workspaceId, campaignId))) {
      // They are being erased with their campaign: nothing of them is due any more.
      await this.leads.updateMany({ workspaceId, _id: { $in: leadIds } }, { $set: { resumeAt: null } });
      return 0;
    }
    const where = { resumeAt: { $gt: new Date(0), $lte: now } };
    const { count, campaign } = await this.transactions.run(() =>
      this.resume(workspace, campaignId, leadIds, { where }),
    );
    if (campaign) await this.campaigns.scheduleSending(workspace, campaign);
    return count;
  }
}
