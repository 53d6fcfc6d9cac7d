import { type WorkspaceScope } from '@domain/access';
import { type CampaignRecord, type VerificationAction } from '@domain/campaigns';
import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import { ClockPort } from '@platform/clock';
import { writeConflict } from '@platform/database';
import { type Model, type Types } from 'mongoose';
import { LeadCampaignService } from '../lead-campaign.service';
import { LeadPauseService } from '../lead-pause.service';
import { LeadRecord } from '../schemas/lead.record';
import { AWAITING_VERIFICATION, type UnverifiedLead, type VerifiedLead } from './unverified-lead';

/** A campaign in which leads wait. */
export interface VerificationCampaign {
  readonly workspaceId: Types.ObjectId;
  readonly campaignId: Types.ObjectId;
}

export interface SettledLeads {
  /** Those that were still waiting: the others were removed, stopped or verified meanwhile. */
  readonly verified: readonly VerifiedLead[];
  /** For `wake`, when some of them may be written to now. */
  readonly toSchedule: CampaignRecord | null;
}

const WAITING = { $gt: new Date(0) };
/** See `LeadRecord`. */
const WAITING_INDEX = 'workspaceId_1_campaignId_1_verification.nextAt_1__id_1';
const PLACE = { workspaceId: 1, campaignId: 1 } as const;
/** With the address, by which a waiting lead is named: one whose person was erased has another. */
const SHOWN = { email: 1, verification: 1 } as const;

/** Leads that wait for the verification of their addresses, for whoever verifies them. */
@Injectable()
export class UnverifiedLeadService {
  constructor(
    @InjectModel(LeadRecord.name) private readonly leads: Model<LeadRecord>,
    private readonly campaigns: LeadCampaignService,
    private readonly pauses: LeadPauseService,
    private readonly clock: ClockPort,
  ) {}

  /**
   * The next campaign behind `addMilliseconds`, by workspace and id, in which leads wait; null when there is none. Two looks at the index at
   * most, however many leads wait in one.
   * @returns whether one of them is due, too
   */
  async campaignAfter(after: VerificationCampaign | null): Promise<(VerificationCampaign & { isDue: boolean }) | null> {
    const found =
      after === null
        ? await this.#first({})
        : ((await this.#first({ workspaceId: after.workspaceId, campaignId: { $gt: after.campaignId } })) ??
          (await this.#first({ workspaceId: { $gt: after.workspaceId } })));
    if (!found) return null;
    const { workspaceId, campaignId, verification } = found;
    const isDue = verification.nextAt !== null && verification.nextAt <= this.clock.now();
    return { workspaceId, campaignId, isDue };
  }

  /** Those of a campaign that are due, longest first. */
  async due({ workspaceId, campaignId }: VerificationCampaign, limit: number): Promise<UnverifiedLead[]> {
    return this.leads
      .find(
        {
          workspaceId,
          campaignId,
          ...AWAITING_VERIFICATION,
          'verification.nextAt': { ...WAITING, $lte: this.clock.now() },
        },
        SHOWN,
      )
      .sort({ 'verification.nextAt': 1, _id: 1 })
      .limit(limit)
      .lean<UnverifiedLead[]>();
  }

  /** Looks at these again at their times, for nobody could tell. Without effect on those that are no longer waiting. */
  async postpone(
    { workspaceId, campaignId }: VerificationCampaign,
    later: readonly {
      readonly lead: Pick<UnverifiedLead, '_id' | 'email'>;
      readonly at: Date;
      readonly reasons: readonly string[];
    }[],
  ): Promise<void> {
    if (later.length === 0) return;
    await this.leads.bulkWrite(
      later.map(({ lead: { _id, email }, at, reasons }) => ({
        updateOne: {
          filter: { workspaceId, campaignId, _id, email, ...AWAITING_VERIFICATION },
          update: {
            $set: { 'verification.nextAt': at, 'verification.reasons': [...reasons] },
            $inc: { 'verification.attempts': 1 },
          },
        },
      })),
    );
  }

  /** Looks at all that are due in a campaign again at a time, for a reason that is none of theirs. */
  async postponeAll({ workspaceId, campaignId }: VerificationCampaign, at: Date, reason: string): Promise<void> {
    await this.leads.updateMany(
      {
        workspaceId,
        campaignId,
        ...AWAITING_VERIFICATION,
        'verification.nextAt': { ...WAITING, $lte: this.clock.now() },
      },
      { $set: { 'verification.nextAt': at, 'verification.reasons': [reason] } },
    );
  }

  /**
   * Does with leads what was decided, in the caller's transaction: who pays for it is told by the answer, and what was done
   * before is not done again. Call `wake` with the answer afterwards.
   */
  async settle(
    workspace: WorkspaceScope,
    campaignId: Types.ObjectId,
    verified: readonly VerifiedLead[],
  ): Promise<SettledLeads> {
    const { workspaceId } = workspace;
    const there = await this.leads
      .find(
        { workspaceId, campaignId, _id: { $in: verified.map(({ lead }) => lead._id) }, ...AWAITING_VERIFICATION },
        { email: 1 },
      )
      .lean<Pick<LeadRecord, '_id' | 'email'>[]>();
    const emails = new Map(there.map(({ _id, email }) => [_id.toHexString(), email]));
    const waiting = verified.filter(({ lead }) => emails.get(lead._id.toHexString()) === lead.email);
    if (waiting.length === 0) return { verified: [], toSchedule: null };
    const { matchedCount } = await this.leads.bulkWrite(
      waiting.map(({ lead: { _id, email }, result, reasons, checkedAt }) => ({
        updateOne: {
          filter: { workspaceId, campaignId, _id, email, ...AWAITING_VERIFICATION },
          update: {
            $set: {
              stopReason: 'verification' as const,
              'verification.result': result,
              'verification.reasons': [...reasons],
              'verification.checkedAt': checkedAt,
              'verification.nextAt': null,
            },
          },
        },
      })),
    );
    if (matchedCount !== waiting.length) throw writeConflict('A lead');
    await this.#remove(workspace, campaignId, idsOf(waiting, 'remove'));
    const going = idsOf(waiting, 'send');
    const { campaign } =
      going.length === 0
        ? { campaign: null }
        : await this.pauses.resume(workspace, campaignId, going, { where: { stopReason: 'verification' } });
    return { verified: waiting, toSchedule: campaign };
  }

  /** After the transaction of `settle`. */
  async scheduleSending(workspace: WorkspaceScope, { toSchedule: woken }: SettledLeads): Promise<void> {
    if (woken) await this.campaigns.scheduleSending(workspace, woken);
  }

  #first(place: object): Promise<(VerificationCampaign & Pick<UnverifiedLead, 'verification'>) | null> {
    return (
      this.leads
        .findOne({ ...place, status: 'paused', 'verification.nextAt': WAITING }, { ...PLACE, verification: 1 })
        .setOptions({ allWorkspaces: 'the worker verifies the leads of all workspaces' })
        .sort({ workspaceId: 1, campaignId: 1, 'verification.nextAt': 1, _id: 1 })
        // Of a range of workspaces some planners would look at all leads that are paused for whatever reason.
        .hint(WAITING_INDEX)
        .lean<(VerificationCampaign & Pick<UnverifiedLead, 'verification'>) | null>()
    );
  }

  /** They are kept with the status `removed`: why they were is told, and the same address does not come and cost again. */
  async #remove(
    workspace: WorkspaceScope,
    campaignId: Types.ObjectId,
    leadIds: readonly Types.ObjectId[],
  ): Promise<void> {
    if (leadIds.length === 0) return;
    const { workspaceId } = workspace;
    const { matchedCount } = await this.leads.updateMany(
      { workspaceId, campaignId, _id: { $in: leadIds }, status: 'paused', stopReason: 'verification' },
      { $set: { status: 'removed', dueAt: null } },
    );
    await this.campaigns.count(workspace, campaignId, { paused: -matchedCount, removed: matchedCount });
  }
}

function idsOf(verified: readonly VerifiedLead[], wanted: VerificationAction): Types.ObjectId[] {
  return verified.filter(({ action }) => action === wanted).map(({ lead }) => lead._id);
}
