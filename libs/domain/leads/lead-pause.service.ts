import { systemScope, type WorkspaceScope } from '@domain/access';
import { type CampaignRecord, CampaignRepository, CampaignCountersService } from '@domain/campaigns';
import { SendRepository } from '@domain/sends';
import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import { ClockPort } from '@platform/clock';
import { TransactionService } from '@platform/database';
import { type Model, type Types } from 'mongoose';
import { LeadCampaignService } from './lead-campaign.service';
import { groupByCampaign } from './lead-tallies';
import { LeadRecord, type StopReason } from './schemas/lead.record';

type LeadKey = Pick<LeadRecord, '_id' | 'workspaceId' | 'campaignId'>;

/** Maximum number of leads that one transaction changes. */
const CHUNK = 500;

/** Pauses and resumption of leads: by a person, after an absence, and after a restore. */
@Injectable()
export class LeadPauseService {
  constructor(
    @InjectModel(LeadRecord.name) private readonly leads: Model<LeadRecord>,
    private readonly campaigns: CampaignRepository,
    private readonly counters: CampaignCountersService,
    private readonly leadCampaigns: LeadCampaignService,
    private readonly sends: SendRepository,
    private readonly transactions: TransactionService,
    private readonly clock: ClockPort,
  ) {}

  /**
   * Pauses the active ones of these leads. When it returns, no more email is submitted for them. Their due time is
   * kept.
   * @returns the number of paused leads
   */
  async pause(
    { workspaceId, campaignId }: { workspaceId: Types.ObjectId; campaignId: Types.ObjectId },
    leadIds: readonly Types.ObjectId[],
    stopReason: StopReason = 'manual',
  ): Promise<number> {
    const workspace = { workspaceId: workspaceId.toHexString() };
    const count = await this.transactions.run(async () => {
      const { matchedCount } = await this.leads.updateMany(
        { workspaceId, campaignId, _id: { $in: leadIds }, status: 'active' },
        { $set: { status: 'paused', stopReason, resumeAt: null } },
      );
      await this.counters.count(workspace.workspaceId, campaignId, null, {
        leads: { active: -matchedCount, paused: matchedCount },
      });
      return matchedCount;
    });
    await this.sends.withhold(
      workspace.workspaceId,
      { campaignId: campaignId.toHexString(), leadIds: leadIds.map((id) => id.toHexString()) },
      'The lead was paused',
    );
    return count;
  }

  /**
   * Activates the paused ones of these leads and updates the counters; joins the running transaction. They are due when
   * they were before the pause. After the transaction, call `LeadCampaignService.scheduleSending` with the returned
   * campaign.
   * @param also further conditions, and fields to set
   * @returns the number of resumed leads, and the campaign unless it is 0
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
    await this.counters.count(workspace.workspaceId, campaignId, null, { leads: { paused: -count, active: count } });
    return { count, campaign: await this.leadCampaigns.onLeadsAdded(workspace, campaignId) };
  }

  /** Resumes the leads of all workspaces whose pause has ended. @returns the number of resumed leads */
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
        .lean<LeadKey[]>();
      for (const { campaignId, leads } of groupByCampaign(due))
        resumed += await this.#resumeCampaign(campaignId, leads, now);
      if (due.length < CHUNK) return resumed;
    }
  }

  /**
   * Pauses every lead whose next email may have been sent before a restore: due leads, leads with a claimed email, and
   * paused leads that would have resumed automatically. A person resumes them. Repeatable after a failure.
   * @returns the number of leads
   */
  async reconcile(workspaceId: string, until: Date): Promise<number> {
    return (await this.#pauseUncertain(workspaceId, until)) + (await this.#cancelResumption(workspaceId, until));
  }

  async #resumeCampaign(campaignId: Types.ObjectId, due: readonly LeadKey[], now: Date): Promise<number> {
    const workspaceId = due[0]?.workspaceId.toHexString() ?? '';
    const workspace = systemScope(workspaceId);
    const leadIds = due.map(({ _id }) => _id);
    if (!(await this.campaigns.peek(workspaceId, campaignId))) {
      // The leads are being deleted with their campaign.
      await this.leads.updateMany({ workspaceId, _id: { $in: leadIds } }, { $set: { resumeAt: null } });
      return 0;
    }
    const where = { resumeAt: { $gt: new Date(0), $lte: now } };
    const { count, campaign } = await this.transactions.run(() =>
      this.resume(workspace, campaignId, leadIds, { where }),
    );
    if (campaign) await this.leadCampaigns.scheduleSending(workspace, campaign);
    return count;
  }

  async #pauseUncertain(workspaceId: string, until: Date): Promise<number> {
    const isUncertain = {
      workspaceId,
      status: 'active' as const,
      $or: [...createDueFilter(until), { sendId: { $ne: null } }],
    };
    let paused = 0;
    for (;;) {
      const found = await this.leads
        .find(isUncertain, { workspaceId: 1, campaignId: 1 })
        .sort({ _id: 1 })
        .limit(CHUNK)
        .lean<LeadKey[]>();
      for (const { campaignId, leads } of groupByCampaign(found)) {
        const [first] = leads;
        if (first)
          paused += await this.pause(
            { workspaceId: first.workspaceId, campaignId },
            leads.map(({ _id }) => _id),
            'restored',
          );
      }
      if (found.length < CHUNK) return paused;
    }
  }

  /** Cancels the automatic resumption of absent leads and of leads under verification. */
  async #cancelResumption(workspaceId: string, until: Date): Promise<number> {
    const wasDue = { workspaceId, status: 'paused' as const, $or: createDueFilter(until) };
    const back = await this.leads.updateMany(
      { ...wasDue, resumeAt: { $gt: new Date(0), $lte: until } },
      { $set: { stopReason: 'restored', resumeAt: null } },
    );
    const verifying = await this.leads.updateMany(
      { ...wasDue, 'verification.nextAt': { $gt: new Date(0) } },
      { $set: { stopReason: 'restored', 'verification.nextAt': null } },
    );
    return back.modifiedCount + verifying.modifiedCount;
  }
}

/** A lost change of settings may have freed a postponed lead, so its original due time counts, too. */
function createDueFilter(until: Date) {
  return [{ dueAt: { $lte: until, $ne: null } }, { 'postponement.dueAt': { $lte: until } }];
}
