import { type WorkspaceScope } from '@domain/access';
import { type CampaignRecord } from '@domain/campaigns';
import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import { parseId } from '@platform/database';
import { type Model, Types } from 'mongoose';
import { LeadCampaignService } from './lead-campaign.service';
import { ERASED_DOMAIN } from './lead-domains';
import { type LeadConditions, leadFilter } from './lead-filter';
import { LeadRecord, type LeadStatus } from './schemas/lead.record';

/** Leads that are read at once. */
const BATCH = 1_000;

export type LeadAddress = Pick<LeadRecord, '_id' | 'email'>;

/** One of them on the way through all of them. */
export interface PlacedLead extends LeadPlace {
  readonly email: string;
  /** Not removed, and not erased. */
  readonly isThere: boolean;
}

type Named = Pick<LeadRecord, '_id' | 'workspaceId'>;

/** First times that are kept on a lead. */
export type FirstTime = 'openedAt' | 'clickedAt' | 'repliedAt' | 'unsubscribedAt';

/** Leads of one company that are looked at: an answer from a colleague is about one of the latest. */
const MOST_OF_COMPANY = 100;

/** Soft bounces that are kept: one more than it takes. */
const MOST_SOFT = 5;

/** Where somebody is among the leads. */
export type LeadPlace = Pick<LeadRecord, '_id' | 'createdAt'>;

/** Leads of a campaign that have a status in common. */
export interface LeadGroup {
  readonly status: LeadStatus;
  readonly count: number;
}

/** Reads of leads and the facts that mail adds to them. */
@Injectable()
export class LeadRepository {
  constructor(
    @InjectModel(LeadRecord.name) private readonly leads: Model<LeadRecord>,
    private readonly campaigns: LeadCampaignService,
  ) {}

  /**
   * Those of a campaign that the list would show under these conditions, newest first, without leads that were erased.
   * @param most so many at most, the newest
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
   * The next of them behind a place, those that are gone included: for whoever goes through all of them in many goes. Less than
   * `most` means that there are no more.
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
    for await (const batch of batches) return batch.map(placedOf);
    return [];
  }

  /** null when it is gone. */
  async find(workspaceId: Types.ObjectId | string, leadId: Types.ObjectId): Promise<LeadRecord | null> {
    return this.leads.findOne({ _id: leadId, workspaceId }).lean<LeadRecord>();
  }

  /** The leads with this address that were written to, the one written to last first. */
  async listContacted(workspaceId: Types.ObjectId | string, email: string): Promise<LeadRecord[]> {
    const found = await this.leads.find({ workspaceId, email, sentCount: { $gt: 0 } }).lean<LeadRecord[]>();
    return found.toSorted(lastFirst);
  }

  /** Leads at a domain that this mailbox wrote to, the one written to last first. */
  async listContactedAtDomain(
    workspaceId: Types.ObjectId | string,
    domain: string,
    mailboxId: Types.ObjectId,
  ): Promise<LeadRecord[]> {
    const found = await this.leads
      .find({ workspaceId, domains: domain, mailboxId, sentCount: { $gt: 0 } })
      .limit(MOST_OF_COMPANY)
      .lean<LeadRecord[]>();
    return found.toSorted(lastFirst);
  }

  /** Keeps when something happened for the first time; joins a running transaction. False when it had happened before. */
  async markFirst({ _id, workspaceId }: Named, what: FirstTime, at: Date): Promise<boolean> {
    const { matchedCount } = await this.leads.updateOne(
      { _id, workspaceId, [what]: null },
      { $set: { [what]: at } },
      { timestamps: false },
    );
    return matchedCount === 1;
  }

  /** Keeps a soft bounce; joins a running transaction. @returns those in a row, oldest first, this one included */
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

  /** It takes mail: earlier soft bounces count no more. Joins a running transaction. */
  async clearSoftBounces({
    _id,
    workspaceId,
    softBouncedAt = [],
  }: Named & Pick<LeadRecord, 'softBouncedAt'>): Promise<void> {
    // One that comes in since it was read is later than what shows that it takes mail.
    if (softBouncedAt.length === 0) return;
    await this.leads.updateOne(
      { _id, workspaceId, 'softBouncedAt.0': { $exists: true } },
      { $set: { softBouncedAt: [] } },
      { timestamps: false },
    );
  }

  /**
   * The leads that match, in batches. Leads that are added meanwhile are not among them; one that changes meanwhile is in it
   * once or not at all.
   * @param filter with workspace and campaign
   * @param fields what is read of each lead; all fields when left out
   * @param after the lead behind which it begins; none: with the newest
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
        .find((last ? beyond(filter, last) : filter) as never, projection)
        .sort({ createdAt: -1, _id: -1 })
        .limit(size)
        .lean<Pick<LeadRecord, F | '_id' | 'createdAt'>[]>();
      if (batch.length > 0) yield batch;
      if (batch.length < size) return;
      last = batch.at(-1);
    }
  }

  /** Joins a running transaction. */
  async countByStatus(workspaceId: string, campaignId: Types.ObjectId): Promise<LeadGroup[]> {
    const rows = await this.leads.aggregate<{ _id: LeadStatus; count: number }>([
      { $match: { workspaceId: new Types.ObjectId(workspaceId), campaignId } },
      { $group: { _id: '$status', count: { $sum: 1 } } },
    ]);
    return rows.map(({ _id: status, count }) => ({ status, count }));
  }

  async #filter(campaign: CampaignRecord, conditions: LeadConditions): Promise<Record<string, unknown>> {
    const sequence = conditions.stepId === undefined ? null : await this.campaigns.sequence(campaign);
    return {
      workspaceId: campaign.workspaceId,
      campaignId: campaign._id,
      ...leadFilter(conditions, sequence?.steps[0]?._id.toHexString() ?? null),
    };
  }
}

function placedOf({
  _id,
  createdAt,
  email,
  domain,
  status,
}: Pick<LeadRecord, '_id' | 'createdAt' | 'email' | 'domain' | 'status'>) {
  return { _id, createdAt, email, isThere: status !== 'removed' && domain !== ERASED_DOMAIN };
}

function lastFirst(one: LeadRecord, other: LeadRecord): number {
  return (other.lastSentAt?.getTime() ?? 0) - (one.lastSentAt?.getTime() ?? 0);
}

/** As `PageService` writes it: a range with a tie-break, which goes along the index. */
function beyond(
  { $and = [], ...filter }: { $and?: unknown[] } & Record<string, unknown>,
  { createdAt, _id }: { createdAt: Date; _id: Types.ObjectId },
) {
  const place = { createdAt: { $lte: createdAt }, $or: [{ createdAt: { $lt: createdAt } }, { _id: { $lt: _id } }] };
  return { ...filter, $and: [...$and, place] };
}
