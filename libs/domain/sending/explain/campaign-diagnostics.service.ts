import { type WorkspaceScope } from '@domain/access';
import {
  ActiveCampaignsRepository,
  CampaignCountersService,
  type CampaignRecord,
  CampaignRepository,
  type CampaignShare,
  type LeadTally,
} from '@domain/campaigns';
import { LeadRecord, findPostponement, type StopReason } from '@domain/leads';
import { SendReadRepository } from '@domain/sends';
import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import { ClockPort } from '@platform/clock';
import { type Model, type Types } from 'mongoose';
import { newLeadsGate } from '../decide/campaign-gate';
import { type LimitName } from '../decide/facts';
import {
  type DiagnosticsResponse,
  type ReasonCountResponse,
  toDiagnostics,
  toReasonCount,
} from '../dto/diagnostics.dto';
import { getConstraint } from './constraint';
import { EligibilityEvaluatorService } from './eligibility-evaluator.service';

/** Maximum leads per count: a campaign may have a million. */
const MOST_COUNTED = 10_000;

const STOPPED = ['completed', 'bounced', 'paused', 'removed'] as const;

/** Active leads of a campaign by what they wait for; each count is at most `MOST_COUNTED`. */
export interface LeadStatusCounts {
  readonly dueNew: number;
  readonly dueFollowUps: number;
  readonly later: number;
  readonly inFlight: number;
  /** Leads that no mailbox of the campaign can write to. */
  readonly noSender: number;
  /** When the next lead becomes due; null if there is none. */
  readonly nextDue: Date | null;
  /** The limit that postponed that lead under the current settings; null if its step is not due yet. */
  readonly nextPostponedBy: LimitName | null;
}

type Next = Pick<LeadRecord, 'dueAt' | 'postponement'>;

const NO_LEADS_COUNTED: LeadStatusCounts = {
  dueNew: 0,
  dueFollowUps: 0,
  later: 0,
  inFlight: 0,
  noSender: 0,
  nextDue: null,
  nextPostponedBy: null,
};

/** Diagnoses a campaign: what its leads wait for, which mailboxes can send, and which limit binds. */
@Injectable()
export class CampaignDiagnosticsService {
  constructor(
    private readonly campaigns: CampaignRepository,
    private readonly activeCampaigns: ActiveCampaignsRepository,
    private readonly counters: CampaignCountersService,
    private readonly evaluator: EligibilityEvaluatorService,
    private readonly sends: SendReadRepository,
    private readonly clock: ClockPort,
    @InjectModel(LeadRecord.name) private readonly leads: Model<LeadRecord>,
  ) {}

  /** The cost does not depend on the number of leads: counts stop at 10 000. @throws NOT_FOUND */
  async diagnose(workspace: WorkspaceScope, campaignId: string): Promise<DiagnosticsResponse> {
    const campaign = await this.campaigns.find(workspace, campaignId);
    const { _id, workspaceId } = campaign;
    const now = this.clock.now();
    const shares = await this.activeCampaigns.listShares(workspaceId, _id);
    const [sums, counts, stops, mailboxes, lastHealthySendAt] = await Promise.all([
      this.counters.sum(workspaceId, [_id]),
      this.countByStatus(campaign, shares, now),
      this.countStops(campaign),
      this.evaluator.at(campaign, shares, now),
      this.sends.lastAcceptedAt(workspaceId, _id),
    ]);
    const leads = sums.get(_id.toHexString())?.leads ?? NO_LEADS;
    const { reason, at } = getConstraint(
      {
        openings: mailboxes.map(({ opening }) => opening),
        newOpenings: mailboxes.map(({ facts, campaign: campaignFacts }) => newLeadsGate(now, campaignFacts, facts)),
        dueFollowUps: counts.dueFollowUps > 0,
        dueNew: counts.dueNew > 0,
        inFlight: counts.inFlight > 0,
        noSender: counts.noSender > 0,
        isVerifying: stops.has('verifying'),
        nextDue: counts.nextDue,
        nextPostponedBy: counts.nextPostponedBy,
      },
      now,
    );
    return toDiagnostics(campaign, {
      leads,
      mailboxes,
      lastHealthySendAt,
      constraint: reason,
      nextEligibleAt: at,
      waiting: toWaitingCounts(counts),
      stopped: [...stops].map(([stop, count]) => toReasonCount(stop, count, isPartial(leads))),
    });
  }

  async countByStatus(
    campaign: CampaignRecord,
    shares: readonly CampaignShare[],
    now: Date,
  ): Promise<LeadStatusCounts> {
    const { _id, workspaceId, formerMailboxes } = campaign;
    const of = { workspaceId, campaignId: _id, status: 'active' } as const;
    const own = shares.flatMap(({ mailboxId }) => mailboxId ?? []);
    if (own.length === 0) return { ...NO_LEADS_COUNTED, noSender: await this.#countByStatus(of) };
    // The first free mailbox takes over the leads of removed mailboxes.
    const senders = [...own, ...formerMailboxes];
    const anybody = { $in: [null, ...senders] };
    const [dueNew, dueFollowUps, later, inFlight, noSender, next] = await Promise.all([
      this.#countByStatus({ ...of, mailboxId: null, dueAt: { $lte: now } }),
      this.#countByStatus({ ...of, mailboxId: { $in: senders }, dueAt: { $lte: now } }),
      this.#countByStatus({ ...of, mailboxId: anybody, dueAt: { $gt: now } }),
      this.#countByStatus({ ...of, mailboxId: { $in: senders }, dueAt: null }),
      this.#countByStatus({ ...of, $or: toRangesBetween(senders) }),
      Promise.all([null, ...senders].map((mailboxId) => this.#nextDue({ ...of, mailboxId, dueAt: { $gt: now } }))),
    ]);
    const [first] = next.flatMap((lead) => lead ?? []).toSorted((one, other) => getDueTime(one) - getDueTime(other));
    const nextPostponedBy = ((first && findPostponement(first, campaign)?.reason) ?? null) as LimitName | null;
    return {
      dueNew,
      dueFollowUps,
      later,
      inFlight,
      noSender,
      nextDue: first?.dueAt ?? null,
      nextPostponedBy,
    };
  }

  /** Counts the reasons of stopped or paused leads, for the latest `MOST_COUNTED` of each status. */
  async countStops({ _id, workspaceId }: CampaignRecord): Promise<Map<StopReason, number>> {
    const counts = new Map<StopReason, number>();
    const found = await Promise.all(
      STOPPED.map((status) =>
        this.leads.aggregate<{ _id: StopReason | null; count: number }>([
          { $match: { workspaceId, campaignId: _id, status } },
          { $sort: { createdAt: -1, _id: -1 } },
          { $limit: MOST_COUNTED },
          { $group: { _id: '$stopReason', count: { $sum: 1 } } },
        ]),
      ),
    );
    for (const { _id: reason, count } of found.flat()) {
      if (reason !== null) counts.set(reason, (counts.get(reason) ?? 0) + count);
    }
    return counts;
  }

  #countByStatus(filter: object): Promise<number> {
    return this.leads.countDocuments(filter as never, { limit: MOST_COUNTED });
  }

  async #nextDue(filter: object): Promise<Next | null> {
    return this.leads
      .findOne(filter as never, { dueAt: 1, postponement: 1 })
      .sort({ dueAt: 1, _id: 1 })
      .lean<Next>();
  }
}

const NO_LEADS: Record<LeadTally, number> = { total: 0, active: 0, paused: 0, completed: 0, bounced: 0, removed: 0 };

function toWaitingCounts({ dueNew, dueFollowUps, later, inFlight, noSender }: LeadStatusCounts): ReasonCountResponse[] {
  const due = dueNew + dueFollowUps;
  return [
    toReasonCount('due', due, Math.max(dueNew, dueFollowUps) >= MOST_COUNTED),
    toReasonCount('step_delay', later, later >= MOST_COUNTED),
    toReasonCount('in_flight', inFlight, inFlight >= MOST_COUNTED),
    toReasonCount('no_sender', noSender, noSender >= MOST_COUNTED),
  ].filter(({ count }) => count > 0);
}

/** Tells whether a status has more stopped leads than were counted. */
function isPartial({ paused, completed, bounced, removed }: Record<LeadTally, number>): boolean {
  return Math.max(paused, completed, bounced, removed) > MOST_COUNTED;
}

function getDueTime({ dueAt }: Next): number {
  return dueAt?.getTime() ?? Infinity;
}

/** Returns all mailboxes except these, as ranges for an index; `$nin` would read all leads. */
function toRangesBetween(mailboxes: readonly Types.ObjectId[]): { mailboxId: Record<string, Types.ObjectId> }[] {
  const ids = mailboxes.toSorted((one, other) => (one.toHexString() < other.toHexString() ? -1 : 1));
  return [undefined, ...ids].map((after, place) => {
    const before = ids[place];
    return { mailboxId: { ...(after && { $gt: after }), ...(before && { $lt: before }) } };
  });
}
