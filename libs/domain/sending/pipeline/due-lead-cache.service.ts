import { DueLeadRepository, type LeadRecord, type LeadRow, LeadStopService, type StopReason } from '@domain/leads';
import { SuppressionsService } from '@domain/suppressions';
import { Injectable } from '@nestjs/common';
import { type Types } from 'mongoose';

/** Maximum leads of a campaign per read, for all mailboxes of this process. */
const READ = 200;
/** How long the leads of a read stay valid. */
const KEEP_MS = 1_000;
/** Maximum number of cached campaigns. */
const MOST_ROWS = 200;

/** A due lead, and whether its address or domain is suppressed. */
export interface OfferedLead {
  readonly record: LeadRecord;
  readonly suppressed: boolean;
}

interface Row {
  readonly readAt: Date;
  readonly leads: Map<string, OfferedLead>;
  /** Whether more leads may be due than were read. */
  readonly isPart: boolean;
}

/**
 * Provides the runs of this process with due leads. Leads without a sender are read once for all mailboxes. No lead is
 * offered to two mailboxes at once, because one of the two claims would fail. The guard of the claim, not this cache,
 * prevents a second send.
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

  /** Lists due leads, ordered by (dueAt, id). */
  async due(row: LeadRow, now: Date, limit: number): Promise<OfferedLead[]> {
    if (row.mailboxId === null) return this.#offered(row, now, limit);
    return this.evaluated(row.workspaceId, await this.leads.due(row, now, limit));
  }

  /** Tells whether the cache holds new leads of the campaign. */
  async hasMore(campaignId: string): Promise<boolean> {
    const row = await this.#rows.get(campaignId);
    return row !== undefined && row.leads.size > 0;
  }

  /** Returns when the next lead is due; null when there is none. */
  async nextDue(row: LeadRow): Promise<Date | null> {
    return this.leads.nextDue(row);
  }

  /** Drops the cached leads of a campaign, because more are due than were read. */
  forget(campaignId: string): void {
    this.#rows.delete(campaignId);
  }

  async stop(lead: LeadRecord, reason: StopReason): Promise<void> {
    const { _id, workspaceId, campaignId } = lead;
    const which = { leadIds: [_id.toHexString()], campaignId: campaignId.toHexString() };
    await this.stops.stop(workspaceId.toHexString(), which, { reason });
    await this.settle(lead);
  }

  /** Returns the first leads that no mailbox has reserved. */
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

  /**
   * Reserves the lead until `settle`: no other mailbox of this process is offered it. False if it is already reserved.
   */
  reserve({ _id }: Pick<LeadRecord, '_id'>): boolean {
    const id = _id.toHexString();
    if (this.#reserved.has(id)) return false;
    this.#reserved.add(id);
    return true;
  }

  /** The lead was claimed, or cannot be claimed now: it is not offered again before the next read. */
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
      // An exhausted row is read again, because a released or added lead may be due now.
      const isFresh = leads.size > 0 && Math.abs(now.getTime() - readAt.getTime()) < KEEP_MS;
      if (isFresh) return known;
      if (this.#rows.get(key) !== known) return this.#row(key, row, now);
    }
    const reading = this.#read(row, now);
    this.#rows.delete(key);
    this.#rows.set(key, reading);
    // The campaign with the oldest read is dropped; otherwise finished campaigns would stay cached.
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

  /** Returns the leads with their suppression status. */
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
