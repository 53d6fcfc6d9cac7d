import { type WorkspaceScope } from '@domain/access';
import { type CampaignRecord, type VerificationAction, CampaignCountersService } from '@domain/campaigns';
import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import { ClockPort } from '@platform/clock';
import { writeConflict } from '@platform/database';
import { type Model, type Types } from 'mongoose';
import { LeadCampaignService } from '../lead-campaign.service';
import { LeadPauseService } from '../lead-pause.service';
import { LeadRecord } from '../schemas/lead.record';
import { AWAITING_VERIFICATION, type UnverifiedLead, type VerifiedLead } from './unverified-lead';

/** A campaign with unverified leads. */
export interface VerificationCampaign {
  readonly workspaceId: Types.ObjectId;
  readonly campaignId: Types.ObjectId;
}

export interface SettledLeads {
  /** The leads that were still unverified; the others were removed, stopped or settled meanwhile. */
  readonly verified: readonly VerifiedLead[];
  /** The campaign for `scheduleSending`; null when no lead may be contacted now. */
  readonly toSchedule: CampaignRecord | null;
}

const WAITING = { $gt: new Date(0) };
/** See `LeadRecord`. */
const WAITING_INDEX = 'workspaceId_1_campaignId_1_verification.nextAt_1__id_1';
const PLACE = { workspaceId: 1, campaignId: 1 } as const;
/** Includes the address, because an erased lead has another one. */
const SHOWN = { email: 1, verification: 1 } as const;

/** Leads that wait for the verification of their addresses. */
@Injectable()
export class UnverifiedLeadService {
  constructor(
    @InjectModel(LeadRecord.name) private readonly leads: Model<LeadRecord>,
    private readonly counters: CampaignCountersService,
    private readonly leadCampaigns: LeadCampaignService,
    private readonly pauses: LeadPauseService,
    private readonly clock: ClockPort,
  ) {}

  /**
   * The next campaign with unverified leads after `after`, by workspace and id; null when there is none. At most two
   * index look-ups, whatever the number of leads.
   * @returns also whether one of its leads is due
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

  /** The due leads of a campaign, oldest due time first. */
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

  /** Stores the next attempt of each lead. Without effect on leads that are no longer unverified. */
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

  /** Postpones all due leads of a campaign for a reason that is not theirs. */
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
   * Applies the results to the leads, in the caller's transaction. The returned leads are the ones to charge; a
   * repetition changes nothing. Call `scheduleSending` with the result after the transaction.
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
    await this.#remove(workspace, campaignId, getIds(waiting, 'remove'));
    const going = getIds(waiting, 'send');
    const { campaign } =
      going.length === 0
        ? { campaign: null }
        : await this.pauses.resume(workspace, campaignId, going, { where: { stopReason: 'verification' } });
    return { verified: waiting, toSchedule: campaign };
  }

  /** Call it after the transaction of `settle`. */
  async scheduleSending(workspace: WorkspaceScope, { toSchedule: scheduled }: SettledLeads): Promise<void> {
    if (scheduled) await this.leadCampaigns.scheduleSending(workspace, scheduled);
  }

  #first(place: object): Promise<(VerificationCampaign & Pick<UnverifiedLead, 'verification'>) | null> {
    return (
      this.leads
        .findOne({ ...place, status: 'paused', 'verification.nextAt': WAITING }, { ...PLACE, verification: 1 })
        .setOptions({ allWorkspaces: 'the worker verifies the leads of all workspaces' })
        .sort({ workspaceId: 1, campaignId: 1, 'verification.nextAt': 1, _id: 1 })
        // Over a range of workspaces, some query planners would scan all paused leads.
        .hint(WAITING_INDEX)
        .lean<(VerificationCampaign & Pick<UnverifiedLead, 'verification'>) | null>()
    );
  }

  /**
   * Keeps the leads with the status `removed`: the reason stays visible, and the same address is not verified and paid
   * for again.
   */
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
    await this.counters.count(workspace.workspaceId, campaignId, null, {
      leads: { paused: -matchedCount, removed: matchedCount },
    });
  }
}

function getIds(verified: readonly VerifiedLead[], expected: VerificationAction): Types.ObjectId[] {
  return verified.filter(({ action }) => action === expected).map(({ lead }) => lead._id);
}
