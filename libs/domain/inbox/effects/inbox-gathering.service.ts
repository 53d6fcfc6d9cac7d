import { AsyncLocalStorage } from 'node:async_hooks';
import { type LeadRecord, LeadStopService, type LeadStop } from '@domain/leads';
import { Injectable } from '@nestjs/common';
import { type KnownMatch } from '../match/match';
import { type LeadEventType, type LeadEvent } from './lead-event-data';
import { InboxCountersService } from './inbox-counters.service';

/** What waits for the end of a transaction. */
interface Gathered {
  /** To be told, each once, and counted when it is new. */
  readonly happenings: Map<string, LeadEvent>;
  /** Told already. */
  readonly counts: LeadEvent[];
  /** By everything but the lead. */
  readonly stops: Map<string, { workspaceId: string; leadIds: Set<string>; how: LeadStop }>;
}

/**
 * Writes at the end of a transaction, and at once, what several messages in it say: the same figures are changed by all of
 * them, and the same stop is one command for many leads. Without `run` all of it is written when it is said.
 */
@Injectable()
export class InboxGatheringService {
  readonly #open = new AsyncLocalStorage<Gathered>();

  constructor(
    private readonly tally: InboxCountersService,
    private readonly stops: LeadStopService,
  ) {}

  /** Inside of a transaction. No two parts of `work` may be about one lead: what is put off would be in another order. */
  async run<T>(work: () => Promise<T>): Promise<T> {
    const gathered: Gathered = { happenings: new Map(), counts: [], stops: new Map() };
    const result = await this.#open.run(gathered, work);
    await this.tally.recordEvents([...gathered.happenings.values()], gathered.counts);
    for (const { workspaceId, leadIds, how } of gathered.stops.values()) {
      await this.stops.write(workspaceId, { leadIds: [...leadIds] }, how);
    }
    return result;
  }

  /** Tells and counts it, unless it was told before. */
  async queueEvent(match: KnownMatch, happening: LeadEventType): Promise<void> {
    const gathered = this.#open.getStore();
    if (!gathered) await this.tally.recordEvent(match, happening);
    else if (!gathered.happenings.has(happening.dedupeKey)) {
      gathered.happenings.set(happening.dedupeKey, { match, happening });
    }
  }

  /** As `tell`, for who has to know at once. @returns false when it had been told before: then nothing is counted */
  async recordEventNow(match: KnownMatch, happening: LeadEventType): Promise<boolean> {
    const gathered = this.#open.getStore();
    if (!gathered) return this.tally.recordEvent(match, happening);
    const isNew = await this.tally.record(match, happening);
    if (isNew) gathered.counts.push({ match, happening });
    return isNew;
  }

  /** What `LeadStopService.write` does for one lead. */
  async stop({ _id, workspaceId }: Pick<LeadRecord, '_id' | 'workspaceId'>, how: LeadStop): Promise<void> {
    const [leadId, workspace] = [_id.toHexString(), workspaceId.toHexString()];
    const gathered = this.#open.getStore();
    if (!gathered) {
      await this.stops.write(workspace, { leadIds: [leadId] }, how);
      return;
    }
    const key = JSON.stringify([workspace, how.reason, how.status, how.resumeAt]);
    const same = gathered.stops.get(key) ?? { workspaceId: workspace, leadIds: new Set(), how };
    same.leadIds.add(leadId);
    gathered.stops.set(key, same);
  }
}
