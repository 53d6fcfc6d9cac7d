import { type CampaignRecord } from '@domain/campaigns';
import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import { type Model } from 'mongoose';
import { getLeadDueAt } from './lead-postponement';
import { type LeadPostponement, LeadRecord } from './schemas/lead.record';

type Postponed = Pick<LeadRecord, '_id' | 'workspaceId' | 'dueAt' | 'postponement'>;
type Settings = Pick<CampaignRecord, '_id' | 'workspaceId' | 'revision'>;

/** Number of leads that one write frees. */
const BATCH = 200;
/** Maximum number of writes per call. */
const MOST_BATCHES = 10;

export interface FreedLeads {
  readonly freed: number;
  /** Whether no lead remains. */
  readonly isDone: boolean;
}

/**
 * Due leads that wait for a sending window, a daily limit or the like. Each keeps the revision of the settings that
 * postponed it: under a later revision it is due again by its sequence.
 */
@Injectable()
export class LeadPostponementRepository {
  constructor(@InjectModel(LeadRecord.name) private readonly leads: Model<LeadRecord>) {}

  /** Postpones the lead. Without effect when the lead has changed since it was read. */
  async postpone(lead: Postponed, { until, reason, revision }: Omit<LeadPostponement, 'dueAt'>): Promise<void> {
    const { _id, workspaceId, dueAt } = lead;
    const postponement = { dueAt: getLeadDueAt(lead) ?? until, until, reason, revision };
    await this.leads.updateOne(
      { _id, workspaceId, status: 'active', dueAt },
      { $set: { dueAt: until, postponement } },
      QUIET,
    );
  }

  /**
   * Restores the due time of up to 2000 leads that earlier settings have postponed. Repeatable; each write is guarded
   * by the values read, so that a lead that was claimed or changed meanwhile stays as it is.
   */
  async free(campaign: Settings): Promise<FreedLeads> {
    let freed = 0;
    for (let batch = 0; batch < MOST_BATCHES; batch += 1) {
      const found = await this.#ofEarlier(campaign);
      if (found.length > 0) freed += await this.#freeAll(found);
      if (found.length < BATCH) return { freed, isDone: true };
    }
    return { freed, isDone: false };
  }

  /**
   * Does the same for leads without a sender that release 0.2.0 has postponed without a mark: only a postponement makes
   * the first email due later than the creation of the lead. Reads the 200 leads that are due next.
   */
  async freeUnmarked({ _id: campaignId, workspaceId }: Settings, now: Date): Promise<FreedLeads> {
    const next = await this.leads
      .find(
        { workspaceId, campaignId, mailboxId: null, status: 'active', dueAt: { $gt: now } },
        { workspaceId: 1, dueAt: 1, postponement: 1, sentCount: 1, createdAt: 1 },
      )
      .sort({ dueAt: 1, _id: 1 })
      .limit(BATCH)
      .lean<(Postponed & Pick<LeadRecord, 'sentCount' | 'createdAt'>)[]>();
    const unmarked = next.filter(({ postponement, sentCount }) => !postponement && sentCount === 0);
    if (unmarked.length === 0) return { freed: 0, isDone: true };
    const { modifiedCount } = await this.leads.bulkWrite(
      unmarked.map(({ _id, dueAt, createdAt }) => ({
        updateOne: {
          filter: { _id, workspaceId, status: 'active', mailboxId: null, dueAt, postponement: { $exists: false } },
          update: { $set: { dueAt: createdAt } },
          ...QUIET,
        },
      })),
      { ordered: false },
    );
    return { freed: modifiedCount, isDone: next.length < BATCH };
  }

  #ofEarlier({ _id: campaignId, workspaceId, revision }: Settings): Promise<Postponed[]> {
    return this.leads
      .find(
        { workspaceId, campaignId, status: 'active', 'postponement.revision': { $gte: 0, $lt: revision } },
        { workspaceId: 1, dueAt: 1, postponement: 1 },
      )
      .sort({ 'postponement.revision': 1, _id: 1 })
      .limit(BATCH)
      .lean<Postponed[]>();
  }

  async #freeAll(found: readonly Postponed[]): Promise<number> {
    const { modifiedCount } = await this.leads.bulkWrite(
      found.map((lead) => ({
        updateOne: {
          filter: {
            _id: lead._id,
            workspaceId: lead.workspaceId,
            dueAt: lead.dueAt,
            'postponement.revision': lead.postponement?.revision ?? -1,
          },
          // If `dueAt` was changed since, only the mark is removed.
          update: { $set: { dueAt: getLeadDueAt(lead) }, $unset: { postponement: 1 } },
          ...QUIET,
        },
      })),
      { ordered: false },
    );
    return modifiedCount;
  }
}

/** Waiting is no change that users make or see: `updatedAt` stays. */
const QUIET = { timestamps: false };
