import { type CampaignRecord } from '@domain/campaigns';
import { type FreedLeads, LeadPostponementRepository, type LeadRecord } from '@domain/leads';
import { Injectable } from '@nestjs/common';
import { type LimitName } from '../decide/facts';
import { DueLeadCacheService } from './due-lead-cache.service';

/** How long after a change another process may still postpone leads by the earlier settings. */
const SETTLING_MS = 30_000;
/** Intervals between queries for stale postponements: soon after a change of the settings, and later. */
const SETTLING_INTERVAL_MS = 1_000;
const SETTLED_INTERVAL_MS = 60_000;
/** Maximum number of cached campaigns. */
const MAX_CAMPAIGNS = 5_000;

interface FreeingRun {
  readonly revision: number;
  /** When this process first queried under that revision. */
  readonly since: number;
  readonly at: number;
  readonly result: Promise<FreedLeads>;
}

/** Postpones leads, and frees them when the settings of the campaign change. */
@Injectable()
export class PostponedLeadsService {
  readonly #runs = new Map<string, FreeingRun>();

  constructor(
    private readonly postponements: LeadPostponementRepository,
    private readonly dueLeads: DueLeadCacheService,
  ) {}

  async postpone(
    lead: LeadRecord,
    { until, reason, revision }: { until: Date; reason: LimitName; revision: number },
  ): Promise<void> {
    await this.postponements.postpone(lead, { until, reason, revision });
    await this.dueLeads.settle(lead);
  }

  /** Frees leads that earlier settings of the campaign postponed: at once after a change, otherwise with one query a minute. */
  async free(campaign: CampaignRecord, now: Date): Promise<FreedLeads> {
    const key = campaign._id.toHexString();
    const known = this.#runs.get(key);
    if (known && known.revision >= campaign.revision && isFresh(known, now.getTime())) return known.result;
    const isSame = known?.revision === campaign.revision;
    const result = this.#free(campaign, isSame ? null : now);
    const run = {
      revision: campaign.revision,
      since: isSame ? known.since : now.getTime(),
      at: now.getTime(),
      result,
    };
    this.#runs.delete(key);
    this.#runs.set(key, run);
    const [oldest] = this.#runs.keys();
    if (this.#runs.size > MAX_CAMPAIGNS && oldest !== undefined) this.#runs.delete(oldest);
    const forget = (): void => {
      if (this.#runs.get(key) === run) this.#runs.delete(key);
    };
    // The next call repeats an incomplete or failed query.
    result.then(({ isDone }) => {
      if (!isDone) forget();
    }, forget);
    return result;
  }

  /** @param firstAt set on the first query under this revision */
  async #free(campaign: CampaignRecord, firstAt: Date | null): Promise<FreedLeads> {
    const marked = await this.postponements.free(campaign);
    const others =
      marked.isDone && firstAt ? await this.postponements.freeUnmarked(campaign, firstAt) : { freed: 0, isDone: true };
    const freed = marked.freed + others.freed;
    if (freed > 0) this.dueLeads.forget(campaign._id.toHexString());
    return { freed, isDone: marked.isDone && others.isDone };
  }
}

function isFresh({ since, at }: FreeingRun, now: number): boolean {
  const isSettling = Math.abs(at - since) < SETTLING_MS;
  return Math.abs(now - at) < (isSettling ? SETTLING_INTERVAL_MS : SETTLED_INTERVAL_MS);
}
