import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import { rerunOnWriteConflict, TransactionService } from '@platform/database';
import { type Model, Types } from 'mongoose';
import {
  CAMPAIGN_FIGURES,
  type CampaignFigure,
  CampaignMailboxRecord,
  LEAD_TALLIES,
  type LeadTally,
  STEP_FIGURES,
  type StepFigure,
} from './schemas/campaign-mailbox.record';

/** An id as text (from routes) or as ObjectId (from records). */
export type IdLike = string | Types.ObjectId;

/** Changes of figures; omitted figures stay. A lead that changes status is subtracted from one status and added to another. */
export interface CampaignCount {
  stats?: Partial<Record<CampaignFigure, number>>;
  leads?: Partial<Record<LeadTally, number>>;
  /** By step id. */
  steps?: Readonly<Record<string, Partial<Record<StepFigure, number>>>>;
  /** Number of new leads that the mailbox claimed. */
  newLeads?: number;
  /** When the mailbox claimed a lead of the campaign, and when the campaign's interval ends. */
  served?: { lastServedAt: Date; nextAt: Date | null };
}

/** A campaign's figures over all mailboxes. */
export interface CampaignSums {
  stats: Record<CampaignFigure, number>;
  leads: Record<LeadTally, number>;
  /** By step id; steps without figures are absent. */
  steps: Record<string, Record<StepFigure, number>>;
}

type Share = Pick<CampaignMailboxRecord, 'campaignId' | 'stats' | 'leads' | 'steps'>;

/** Counts campaign figures in the transaction of the counted change, so the sums are exact. */
@Injectable()
export class CampaignCountersService {
  constructor(
    @InjectModel(CampaignMailboxRecord.name) private readonly shares: Model<CampaignMailboxRecord>,
    private readonly transactions: TransactionService,
  ) {}

  /**
   * Adds to the share of a mailbox, or with null to the share for changes outside of a mailbox run; one write, which joins
   * the running transaction. Only the latter holds `leads.total`: mailboxes neither add leads nor remove them.
   * @throws Error when a mailbox is to count `leads.total`
   */
  async count(workspaceId: IdLike, campaignId: IdLike, mailboxId: IdLike | null, count: CampaignCount): Promise<void> {
    if (mailboxId !== null && count.leads?.total) throw new Error('leads.total is counted without a mailbox');
    const $inc = toIncrements(count);
    const $set = count.served ?? {};
    if (Object.keys({ ...$inc, ...$set }).length === 0) return;
    await this.transactions.run(() =>
      rerunOnWriteConflict(() =>
        this.shares.updateOne(
          { workspaceId, campaignId, mailboxId },
          { $inc, $set, $setOnInsert: { assigned: false } },
          { upsert: true },
        ),
      ),
    );
  }

  /** Adds to the shares of several mailboxes in one write; false when one of them has no share yet. Joins the transaction. */
  async countAll(
    workspaceId: Types.ObjectId,
    counts: readonly { campaignId: Types.ObjectId; mailboxId: Types.ObjectId; count: CampaignCount }[],
  ): Promise<boolean> {
    const { matchedCount } = await this.shares.bulkWrite(
      counts.map(({ campaignId, mailboxId, count }) => ({
        updateOne: { filter: { workspaceId, campaignId, mailboxId }, update: { $inc: toIncrements(count) } },
      })),
      { ordered: false },
    );
    return matchedCount === counts.length;
  }

  /** Returns the sums of these campaigns by id; a campaign without figures has zeros. */
  async sum(workspaceId: IdLike, campaignIds: readonly IdLike[]): Promise<Map<string, CampaignSums>> {
    const sums = new Map(campaignIds.map((id) => [String(id), createEmptySums()]));
    const shares = await this.shares
      .find({ workspaceId, campaignId: { $in: campaignIds } }, { campaignId: 1, stats: 1, leads: 1, steps: 1 })
      .lean<Share[]>();
    for (const share of shares) add(sums.get(String(share.campaignId)), share);
    return sums;
  }

  /** Returns the number of leads in all campaigns of the workspace without deleted ones; `maxLeads` limits it. */
  async countLeadsOfWorkspace(workspaceId: IdLike): Promise<number> {
    const [sum] = await this.shares.aggregate<{ total: number }>([
      { $match: { workspaceId: new Types.ObjectId(String(workspaceId)), mailboxId: null } },
      { $group: { _id: null, total: { $sum: '$leads.total' } } },
    ]);
    return sum?.total ?? 0;
  }
}

function toIncrements({ stats = {}, leads = {}, steps = {}, newLeads = 0 }: CampaignCount): Record<string, number> {
  const all: [string, number | undefined][] = [
    ...Object.entries(stats).map(([name, by]) => [`stats.${name}`, by] as [string, number]),
    ...Object.entries(leads).map(([name, by]) => [`leads.${name}`, by] as [string, number]),
    ...Object.entries(steps).flatMap(([stepId, figures]) =>
      Object.entries(figures).map(([name, by]) => [`steps.${stepId}.${name}`, by] as [string, number]),
    ),
    ['newLeads', newLeads],
  ];
  return Object.fromEntries(all.filter(([, by]) => by)) as Record<string, number>;
}

/** The figures of a new campaign. */
export function createEmptySums(): CampaignSums {
  return { stats: createZeros(CAMPAIGN_FIGURES), leads: createZeros(LEAD_TALLIES), steps: {} };
}

function add(sums: CampaignSums | undefined, { stats, leads, steps }: Share): void {
  if (!sums) return;
  addTo(sums.stats, CAMPAIGN_FIGURES, stats);
  addTo(sums.leads, LEAD_TALLIES, leads);
  for (const [stepId, figures] of Object.entries(steps ?? {})) {
    addTo((sums.steps[stepId] ??= createZeros(STEP_FIGURES)), STEP_FIGURES, figures);
  }
}

function addTo<F extends string>(
  sum: Record<F, number>,
  names: readonly F[],
  more: Partial<Record<F, number>> | undefined,
): void {
  for (const name of names) sum[name] += more?.[name] ?? 0;
}

function createZeros<F extends string>(names: readonly F[]): Record<F, number> {
  return Object.fromEntries(names.map((name) => [name, 0])) as Record<F, number>;
}
