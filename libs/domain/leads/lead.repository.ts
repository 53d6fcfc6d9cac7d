import { type WorkspaceScope } from '@domain/access';
import { type CampaignRecord, CampaignRepository, SequenceVersionService } from '@domain/campaigns';
import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import { parseId } from '@platform/database';
import { type Model, Types } from 'mongoose';
import { ERASED_DOMAIN } from '@platform/personal-data';
import { type LeadConditions, toLeadFilter } from './lead-filter';
import { LeadRecord, type LeadStatus } from './schemas/lead.record';

/** Number of leads that are read at once. */
const BATCH = 1_000;

export type LeadAddress = Pick<LeadRecord, '_id' | 'email'>;

/** A lead with its position in the walk. */
export interface PlacedLead extends LeadPlace {
  readonly email: string;
  /** Neither removed nor erased. */
  readonly isThere: boolean;
}

type Named = Pick<LeadRecord, '_id' | 'workspaceId'>;

/** First-time facts that a lead stores. */
export type FirstTime = 'openedAt' | 'clickedAt' | 'repliedAt' | 'unsubscribedAt';

/** Maximum number of leads of one company that are searched: a colleague's reply concerns one of the latest. */
const MOST_OF_COMPANY = 100;

/** Number of soft bounces that are kept: one more than the limit. */
const MOST_SOFT = 5;

/** Position of a lead in the order of the list. */
export type LeadPlace = Pick<LeadRecord, '_id' | 'createdAt'>;

/** Number of leads of a campaign with one status. */
export interface LeadGroup {
  readonly status: LeadStatus;
  readonly count: number;
}

/** Reads of leads and the facts that mail adds to them. */
@Injectable()
export class LeadRepository {
  constructor(
    @InjectModel(LeadRecord.name) private readonly leads: Model<LeadRecord>,
    private readonly campaigns: CampaignRepository,
    private readonly sequences: SequenceVersionService,
  ) {}

  /**
   * The leads of a campaign that match, newest first, without erased leads.
   * @param most maximum number of leads, the newest
   * @returns null for a campaign that the workspace does not have
   */
  async listAddresses(
    { workspaceId }: Pick<WorkspaceScope, 'workspaceId'>,
    campaignId: string,
    conditions: LeadConditions,
    most: number,
  ): Promise<{ campaignId: Types.ObjectId; leads: LeadAddress[] } | null> {
    const _id = parseId(campaignId);
    const campaign = _id && (await this.campaigns.peek(workspaceId, _id));
    if (!campaign) return null;
    const filter = await this.#filter(campaign, conditions);
    const leads: LeadAddress[] = [];
    for await (const batch of this.walk(filter, BATCH, ['email', 'domain'])) {
      for (const { _id: leadId, email, domain } of batch) {
        if (domain !== ERASED_DOMAIN && leads.length < most) leads.push({ _id: leadId, email });
      }
      if (leads.length >= most) break;
    }
    return { campaignId: campaign._id, leads };
  }

  /**
   * The next matching leads after a position, erased and removed ones included. Fewer than `most` means that no more
   * follow.
   * @returns null for a campaign that the workspace does not have
   */
  async nextAddresses(
    { workspaceId }: Pick<WorkspaceScope, 'workspaceId'>,
    campaignId: Types.ObjectId,
    conditions: LeadConditions,
    { after, most }: { after: LeadPlace | null; most: number },
  ): Promise<PlacedLead[] | null> {
    const campaign = await this.campaigns.peek(workspaceId, campaignId);
    if (!campaign) return null;
    const filter = await this.#filter(campaign, conditions);
    const batches = this.walk(filter, most, ['email', 'domain', 'status'], after ?? undefined);
    for await (const batch of batches) return batch.map(toPlacedLead);
    return [];
  }

  /** null when it was deleted. */
  async find(workspaceId: Types.ObjectId | string, leadId: Types.ObjectId): Promise<LeadRecord | null> {
    return this.leads.findOne({ _id: leadId, workspaceId }).lean<LeadRecord>();
  }

  /** The contacted leads with this address, the last contacted first. */
  async listContacted(workspaceId: Types.ObjectId | string, email: string): Promise<LeadRecord[]> {
    const found = await this.leads.find({ workspaceId, email, sentCount: { $gt: 0 } }).lean<LeadRecord[]>();
    return found.toSorted(compareLastSent);
  }

  /** The leads at a domain that this mailbox contacted, the last contacted first. */
  async listContactedAtDomain(
    workspaceId: Types.ObjectId | string,
    domain: string,
    mailboxId: Types.ObjectId,
  ): Promise<LeadRecord[]> {
    const found = await this.leads
      .find({ workspaceId, domains: domain, mailboxId, sentCount: { $gt: 0 } })
      .limit(MOST_OF_COMPANY)
      .lean<LeadRecord[]>();
    return found.toSorted(compareLastSent);
  }

  /**
   * Stores the time of a first occurrence; joins a running transaction. @returns false when there was an earlier one
   */
  async markFirst({ _id, workspaceId }: Named, what: FirstTime, at: Date): Promise<boolean> {
    const { matchedCount } = await this.leads.updateOne(
      { _id, workspaceId, [what]: null },
      { $set: { [what]: at } },
      { timestamps: false },
    );
    return matchedCount === 1;
  }

  /**
   * Stores a soft bounce; joins a running transaction. @returns the consecutive soft bounces, oldest first, including
   * this one
   */
  async recordSoftBounce({ _id, workspaceId }: Named, at: Date): Promise<Date[]> {
    const lead = await this.leads
      .findOneAndUpdate(
        { _id, workspaceId },
        { $push: { softBouncedAt: { $each: [at], $slice: -MOST_SOFT } } },
        { returnDocument: 'after', timestamps: false, projection: { softBouncedAt: 1 } },
      )
      .lean<Pick<LeadRecord, 'softBouncedAt'>>();
    return lead?.softBouncedAt ?? [];
  }

  /** Clears the soft bounces after proof that the address accepts mail. Joins a running transaction. */
  async clearSoftBounces({
    _id,
    workspaceId,
    softBouncedAt = [],
  }: Named & Pick<LeadRecord, 'softBouncedAt'>): Promise<void> {
    // A soft bounce that was stored after the read is later than the proof.
    if (softBouncedAt.length === 0) return;
    await this.leads.updateOne(
      { _id, workspaceId, 'softBouncedAt.0': { $exists: true } },
      { $set: { softBouncedAt: [] } },
      { timestamps: false },
    );
  }

  /**
   * Yields the matching leads in batches, newest first, by key: constant memory and no open cursor. Leads that are
   * added meanwhile are not included; a lead that changes meanwhile appears once or not at all.
   * @param filter with workspace and campaign
   * @param fields fields to read; all fields by default
   * @param after the lead after which to begin; the newest by default
   */
  async *walk<F extends keyof LeadRecord>(
    filter: Record<string, unknown>,
    size: number,
    fields?: readonly F[],
    after?: LeadPlace,
  ): AsyncGenerator<Pick<LeadRecord, F | '_id' | 'createdAt'>[]> {
    const projection = fields && Object.fromEntries(['createdAt', ...fields].map((field) => [field, 1]));
    let last = after;
    for (;;) {
      const batch = await this.leads
        .find((last ? addPosition(filter, last) : filter) as never, projection)
        .sort({ createdAt: -1, _id: -1 })
        .limit(size)
        .lean<Pick<LeadRecord, F | '_id' | 'createdAt'>[]>();
      if (batch.length > 0) yield batch;
      if (batch.length < size) return;
      last = batch.at(-1);
    }
  }

  /**
   * Number of leads per status. Reads every lead of the campaign: for recounts by the operator. Joins a running
   * transaction.
   */
  async countByStatus(workspaceId: string, campaignId: Types.ObjectId): Promise<LeadGroup[]> {
    const rows = await this.leads.aggregate<{ _id: LeadStatus; count: number }>([
      { $match: { workspaceId: new Types.ObjectId(workspaceId), campaignId } },
      { $group: { _id: '$status', count: { $sum: 1 } } },
    ]);
    return rows.map(({ _id: status, count }) => ({ status, count }));
  }

  async #filter(campaign: CampaignRecord, conditions: LeadConditions): Promise<Record<string, unknown>> {
    const sequence = conditions.stepId === undefined ? null : await this.sequences.findCurrent(campaign);
    return {
      workspaceId: campaign.workspaceId,
      campaignId: campaign._id,
      ...toLeadFilter(conditions, sequence?.steps[0]?._id.toHexString() ?? null),
    };
  }
}

function toPlacedLead({
  _id,
  createdAt,
  email,
  domain,
  status,
}: Pick<LeadRecord, '_id' | 'createdAt' | 'email' | 'domain' | 'status'>) {
  return { _id, createdAt, email, isThere: status !== 'removed' && domain !== ERASED_DOMAIN };
}

function compareLastSent(one: LeadRecord, other: LeadRecord): number {
  return (other.lastSentAt?.getTime() ?? 0) - (one.lastSentAt?.getTime() ?? 0);
}

/** The range with tie-break that `PageService` uses, which follows the index. */
function addPosition(
  { $and = [], ...filter }: { $and?: unknown[] } & Record<string, unknown>,
  { createdAt, _id }: { createdAt: Date; _id: Types.ObjectId },
) {
  const place = { createdAt: { $lte: createdAt }, $or: [{ createdAt: { $lt: createdAt } }, { _id: { $lt: _id } }] };
  return { ...filter, $and: [...$and, place] };
}
