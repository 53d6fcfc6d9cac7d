import { AsyncLocalStorage } from 'node:async_hooks';
import { systemScope } from '@domain/access';
import { CampaignCountersService } from '@domain/campaigns';
import { EventsService, type NewEvent } from '@domain/events';
import { type LeadRecord, LeadStopService, type LeadStop } from '@domain/leads';
import { MailboxFiguresService } from '@domain/mailboxes';
import { Injectable } from '@nestjs/common';
import { type KnownMatch } from '../match/match';
import { sumByCampaign, sumByMailbox } from './counter-sums';
import { getLeadEventSubject, type LeadEvent, type LeadEventInput } from './lead-event-data';

/** Writes that wait for the end of a batch. */
interface Batch {
  /** By dedupe key; written once, and counted when new. */
  readonly events: Map<string, LeadEvent>;
  /** Written already, not yet counted. */
  readonly uncounted: LeadEvent[];
  /** Leads with the same stop share one write. */
  readonly stops: Map<string, { workspaceId: string; leadIds: Set<string>; how: LeadStop }>;
}

/**
 * Writes the events that mail causes for leads, counts them, and stops leads. Joins the running transaction. In `batch` the
 * writes are collected until its end: several messages change the same counters, and one stop serves many leads.
 */
@Injectable()
export class LeadEventRecorderService {
  readonly #batch = new AsyncLocalStorage<Batch>();

  constructor(
    private readonly events: EventsService,
    private readonly counters: CampaignCountersService,
    private readonly figures: MailboxFiguresService,
    private readonly stops: LeadStopService,
  ) {}

  /** Collects the writes of `work`. No two parts of `work` may concern one lead: batching would change their order. */
  async batch<T>(work: () => Promise<T>): Promise<T> {
    const batch: Batch = { events: new Map(), uncounted: [], stops: new Map() };
    const result = await this.#batch.run(batch, work);
    await this.#writeAll([...batch.events.values()], batch.uncounted);
    for (const { workspaceId, leadIds, how } of batch.stops.values()) {
      await this.stops.write(workspaceId, { leadIds: [...leadIds] }, how);
    }
    return result;
  }

  /** Writes and counts the event unless its dedupe key exists; in a batch, at its end. */
  async record(match: KnownMatch, event: LeadEventInput): Promise<void> {
    const batch = this.#batch.getStore();
    if (batch) {
      if (!batch.events.has(event.dedupeKey)) batch.events.set(event.dedupeKey, { match, event });
    } else if (await this.#write({ match, event })) await this.#count([{ match, event }]);
  }

  /** As `record`, but writes the event at once. @returns false when it existed: then it is not counted */
  async recordNow(match: KnownMatch, event: LeadEventInput): Promise<boolean> {
    const isNew = await this.#write({ match, event });
    if (!isNew) return false;
    const batch = this.#batch.getStore();
    if (batch) batch.uncounted.push({ match, event });
    else await this.#count([{ match, event }]);
    return true;
  }

  /** As `LeadStopService.write` for one lead; in a batch, at its end. */
  async stop({ _id, workspaceId }: Pick<LeadRecord, '_id' | 'workspaceId'>, how: LeadStop): Promise<void> {
    const [leadId, workspace] = [_id.toHexString(), workspaceId.toHexString()];
    const batch = this.#batch.getStore();
    if (!batch) {
      await this.stops.write(workspace, { leadIds: [leadId] }, how);
      return;
    }
    const key = JSON.stringify([workspace, how.reason, how.status, how.resumeAt]);
    const same = batch.stops.get(key) ?? { workspaceId: workspace, leadIds: new Set(), how };
    same.leadIds.add(leadId);
    batch.stops.set(key, same);
  }

  /** @returns false when the event existed */
  async #write(event: LeadEvent): Promise<boolean> {
    const workspace = systemScope(event.match.lead.workspaceId.toHexString());
    return this.events.record(workspace, toNewEvent(event));
  }

  /** Writes many events with few writes; counts those that are new, and `uncounted`. */
  async #writeAll(events: readonly LeadEvent[], uncounted: readonly LeadEvent[]): Promise<void> {
    const fresh: LeadEvent[] = [...uncounted];
    for (const [workspaceId, ofWorkspace] of groupByWorkspace(events)) {
      const areNew = await this.events.recordEach({ workspaceId }, ofWorkspace.map(toNewEvent));
      fresh.push(...ofWorkspace.filter((_event, index) => areNew[index]));
    }
    await this.#count(fresh);
  }

  async #count(events: readonly LeadEvent[]): Promise<void> {
    for (const [workspaceId, ofWorkspace] of groupByWorkspace(events)) {
      for (const { campaignId, mailboxId, count } of sumByCampaign(ofWorkspace)) {
        await this.counters.count(workspaceId, campaignId, mailboxId, count);
      }
      // Skips deleted mailboxes.
      await this.figures.countAll({ workspaceId }, sumByMailbox(ofWorkspace));
    }
  }
}

function groupByWorkspace(events: readonly LeadEvent[]): Map<string, LeadEvent[]> {
  return Map.groupBy(events, ({ match }) => match.lead.workspaceId.toHexString());
}

function toNewEvent({ match, event }: LeadEvent): NewEvent {
  return { ...event, about: getLeadEventSubject(match) };
}
