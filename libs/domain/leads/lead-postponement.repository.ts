import { type CampaignRecord } from '@domain/campaigns';
import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import { type Model } from 'mongoose';
import { dueAtOf } from './lead-postponement';
import { type LeadPostponement, LeadRecord } from './schemas/lead.record';

type Postponed = Pick<LeadRecord, '_id' | 'workspaceId' | 'dueAt' | 'postponement'>;
type Settings = Pick<CampaignRecord, '_id' | 'workspaceId' | 'revision'>;

/** Leads that are freed by one write. */
const BATCH = 200;
/** Writes of one call. */
const MOST_BATCHES = 10;

export interface FreedLeads {
  readonly freed: number;
  /** Whether none is left. */
  readonly isDone: boolean;
}

/**
 * Leads that are due and have to wait for a window, a limit of the day or the like. Each keeps the revision of the settings
 * that postponed it: under a later revision it is due again as its sequence says.
 */
@Injectable()
export class LeadPostponementRepository {
  constructor(@InjectModel(LeadRecord.name) private readonly leads: Model<LeadRecord>) {}

  /** Not now but later. Without effect when the lead was changed since it was read. */
  async postpone(lead: Postponed, { until, reason, revision }: Omit<LeadPostponement, 'dueAt'>): Promise<void> {
    const { _id, workspaceId, dueAt } = lead;
    const postponement = { dueAt: dueAtOf(lead) ?? until, until, reason, revision };
    await this.leads.updateOne(
      { _id, workspaceId, status: 'active', dueAt },
      { $set: { dueAt: until, postponement } },
      QUIET,
    );
  }

  /**
   * Gives leads that earlier settings have postponed their due time back, 2 000 at most. Repeating it is harmless, and each
   * write is guarded by what was read: a lead that was claimed or changed meanwhile stays as it is.
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
   * The same for leads without a sender that release 0.2.0 has postponed, which stored no more than the later time: nothing
   * else makes the first email to a lead due later than the lead was added. Looks at the 200 that are due next.
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
          // Of a lead whose `dueAt` was moved since, only the mark goes.
          update: { $set: { dueAt: dueAtOf(lead) }, $unset: { postponement: 1 } },
          ...QUIET,
        },
      })),
      { ordered: false },
    );
    return modifiedCount;
  }
}

/** That a lead waits is not a change that its users made or see. */
const QUIET = { timestamps: false };
