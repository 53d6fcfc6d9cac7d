import { DueLeadRepository, type LeadRecord, type LeadRow, LeadStopService, type StopReason } from '@domain/leads';
import { SuppressionsService } from '@domain/suppressions';
import { Injectable } from '@nestjs/common';
import { type Types } from 'mongoose';

/** Leads of a campaign that are read at a time, for all mailboxes of this process. */
const READ = 200;
/** What was read serves for so long. */
const KEEP_MS = 1_000;
/** Campaigns whose leads are remembered. */
const MOST_ROWS = 200;

/** A lead, and whether nothing may be sent to its address. */
export interface OfferedLead {
  readonly record: LeadRecord;
  readonly suppressed: boolean;
}

interface Row {
  readonly readAt: Date;
  readonly leads: Map<string, OfferedLead>;
  /** There may be more than was read. */
  readonly isPart: boolean;
}

/**
 * Where the turns of this process get their leads. Those that have no sender yet are read once for all mailboxes, and none is
 * offered to two at once, who would only get in each other's way. What makes a claim safe is its guard, not this.
 */
@Injectable()
export class DueLeadCacheService {
  readonly #rows = new Map<string, Promise<Row>>();
  readonly #reserved = new Set<string>();

  constructor(
    private readonly leads: DueLeadRepository,
    private readonly stops: LeadStopService,
    private readonly suppressions: SuppressionsService,
  ) {}

  /** Leads that are due, by (dueAt, id). */
  async due(row: LeadRow, now: Date, limit: number): Promise<OfferedLead[]> {
    if (row.mailboxId === null) return this.#offered(row, now, limit);
    return this.evaluated(row.workspaceId, await this.leads.due(row, now, limit));
  }

  /** Whether new leads of the campaign are known to be left. */
  async hasMore(campaignId: string): Promise<boolean> {
    const row = await this.#rows.get(campaignId);
    return row !== undefined && row.leads.size > 0;
  }

  /** When the next one is due; null when there is none. */
  async nextDue(row: LeadRow): Promise<Date | null> {
    return this.leads.nextDue(row);
  }

  /** More leads of the campaign are due than were read. */
  forget(campaignId: string): void {
    this.#rows.delete(campaignId);
  }

  async stop(lead: LeadRecord, reason: StopReason): Promise<void> {
    const { _id, workspaceId, campaignId } = lead;
    const which = { leadIds: [_id.toHexString()], campaignId: campaignId.toHexString() };
    await this.stops.stop(workspaceId.toHexString(), which, { reason });
    await this.settle(lead);
  }

  /** The first of those that nobody has reserved. */
  async #offered(row: LeadRow, now: Date, limit: number): Promise<OfferedLead[]> {
    const key = row.campaignId.toHexString();
    let known = await this.#row(key, row, now);
    let free = this.#free(known, limit);
    if (free.length < limit && known.isPart) {
      this.#rows.delete(key);
      known = await this.#row(key, row, now);
      free = this.#free(known, limit);
    }
    return free;
  }

  /** Nobody else in this process is offered the lead until `settle`; false when somebody else has it. */
  reserve({ _id }: Pick<LeadRecord, '_id'>): boolean {
    const id = _id.toHexString();
    if (this.#reserved.has(id)) return false;
    this.#reserved.add(id);
    return true;
  }

  /** The lead was claimed, or cannot be now: it is offered to nobody before it is read again. */
  async settle({ _id, campaignId }: Pick<LeadRecord, '_id' | 'campaignId'>): Promise<void> {
    const id = _id.toHexString();
    this.#reserved.delete(id);
    const row = await this.#rows.get(campaignId.toHexString());
    row?.leads.delete(id);
  }

  async #row(key: string, row: LeadRow, now: Date): Promise<Row> {
    const known = this.#rows.get(key);
    if (known) {
      const { readAt, leads } = await known;
      // One that is used up is read again: a lead that was given back or added is due now, and would be asked for in vain.
      const isFresh = leads.size > 0 && Math.abs(now.getTime() - readAt.getTime()) < KEEP_MS;
      if (isFresh) return known;
      if (this.#rows.get(key) !== known) return this.#row(key, row, now);
    }
    const reading = this.#read(row, now);
    this.#rows.delete(key);
    this.#rows.set(key, reading);
    // Those of the campaign that was read the longest ago are forgotten: none that is done would ever be otherwise.
    const [oldest] = this.#rows.keys();
    if (this.#rows.size > MOST_ROWS && oldest !== undefined) this.#rows.delete(oldest);
    reading.catch(() => this.#rows.delete(key));
    return reading;
  }

  async #read(row: LeadRow, now: Date): Promise<Row> {
    const found = await this.evaluated(row.workspaceId, await this.leads.due(row, now, READ));
    const leads = new Map(found.map((lead) => [lead.record._id.toHexString(), lead]));
    return { readAt: now, leads, isPart: found.length === READ };
  }

  /** The leads with what the list of suppressions says of them. */
  async evaluated(workspaceId: Types.ObjectId, leads: readonly LeadRecord[]): Promise<OfferedLead[]> {
    if (leads.length === 0) return [];
    const emails = leads.map(({ email }) => email);
    const suppressed = await this.suppressions.matching(workspaceId.toHexString(), emails);
    return leads.map((record) => ({ record, suppressed: suppressed.has(record.email) }));
  }

  #free({ leads }: Row, limit: number): OfferedLead[] {
    const free: OfferedLead[] = [];
    for (const [id, lead] of leads) {
      if (free.length === limit) break;
      if (!this.#reserved.has(id)) free.push(lead);
    }
    return free;
  }
}
