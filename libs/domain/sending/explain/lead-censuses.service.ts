import { type CampaignRecord, type CampaignShare } from '@domain/campaigns';
import { LeadRecord, findPostponement, type StopReason } from '@domain/leads';
import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import { type Model, type Types } from 'mongoose';
import { type LimitName } from '../decide/facts';

/** Leads that are counted at most: a campaign may have a million. */
export const MOST_COUNTED = 10_000;
const STOPPED = ['completed', 'bounced', 'paused', 'removed'] as const;

/** Active leads of a campaign by what they wait for; each at most `MOST_COUNTED`. */
export interface LeadStatusCounts {
  readonly dueNew: number;
  readonly dueFollowUps: number;
  readonly later: number;
  readonly inFlight: number;
  /** Those that no mailbox of the campaign can write to. */
  readonly noSender: number;
  /** When the next of those that are not due yet is; null when there is none. */
  readonly nextDue: Date | null;
  /** What has postponed that one under the present settings; null when its step is not due yet. */
  readonly nextHeldBy: LimitName | null;
}

type Next = Pick<LeadRecord, 'dueAt' | 'postponement'>;

const NOBODY: LeadStatusCounts = {
  dueNew: 0,
  dueFollowUps: 0,
  later: 0,
  inFlight: 0,
  noSender: 0,
  nextDue: null,
  nextHeldBy: null,
};

/** Counts leads without walking through all of them: a handful of queries, each in one index and with an end. */
@Injectable()
export class LeadCensusesService {
  constructor(@InjectModel(LeadRecord.name) private readonly leads: Model<LeadRecord>) {}

  async count(campaign: CampaignRecord, shares: readonly CampaignShare[], now: Date): Promise<LeadStatusCounts> {
    const { _id, workspaceId, formerMailboxes } = campaign;
    const of = { workspaceId, campaignId: _id, status: 'active' } as const;
    const own = shares.flatMap(({ mailboxId }) => mailboxId ?? []);
    if (own.length === 0) return { ...NOBODY, noSender: await this.#count(of) };
    // Whoever comes first goes on with the leads of mailboxes that the campaign has no longer.
    const senders = [...own, ...formerMailboxes];
    const anybody = { $in: [null, ...senders] };
    const [dueNew, dueFollowUps, later, inFlight, noSender, next] = await Promise.all([
      this.#count({ ...of, mailboxId: null, dueAt: { $lte: now } }),
      this.#count({ ...of, mailboxId: { $in: senders }, dueAt: { $lte: now } }),
      this.#count({ ...of, mailboxId: anybody, dueAt: { $gt: now } }),
      this.#count({ ...of, mailboxId: { $in: senders }, dueAt: null }),
      this.#count({ ...of, $or: besides(senders) }),
      Promise.all([null, ...senders].map((mailboxId) => this.#nextDue({ ...of, mailboxId, dueAt: { $gt: now } }))),
    ]);
    const [first] = next.flatMap((lead) => lead ?? []).toSorted((one, other) => timeOf(one) - timeOf(other));
    const nextHeldBy = ((first && findPostponement(first, campaign)?.reason) ?? null) as LimitName | null;
    return { dueNew, dueFollowUps, later, inFlight, noSender, nextDue: first?.dueAt ?? null, nextHeldBy };
  }

  /** Why leads were stopped or paused, of the latest `MOST_COUNTED` in each status. */
  async stops({ _id, workspaceId }: CampaignRecord): Promise<Map<StopReason, number>> {
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

  #count(filter: object): Promise<number> {
    return this.leads.countDocuments(filter as never, { limit: MOST_COUNTED });
  }

  async #nextDue(filter: object): Promise<Next | null> {
    return this.leads
      .findOne(filter as never, { dueAt: 1, postponement: 1 })
      .sort({ dueAt: 1, _id: 1 })
      .lean<Next>();
  }
}

function timeOf({ dueAt }: Next): number {
  return dueAt?.getTime() ?? Infinity;
}

/** All mailboxes but these, as ranges between them: so an index finds that there are none, where `$nin` reads all leads. */
function besides(mailboxes: readonly Types.ObjectId[]): { mailboxId: Record<string, Types.ObjectId> }[] {
  const ids = mailboxes.toSorted((one, other) => (one.toHexString() < other.toHexString() ? -1 : 1));
  return [undefined, ...ids].map((after, place) => {
    const before = ids[place];
    return { mailboxId: { ...(after && { $gt: after }), ...(before && { $lt: before }) } };
  });
}
