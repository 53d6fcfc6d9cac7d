import {
  type CampaignRecord,
  type CampaignShare,
  CampaignWork,
  type PublishedSequence,
  Sequences,
} from '@domain/campaigns';
import { DueLeads, type LeadRecord, LeadStops } from '@domain/leads';
import { type MailboxRecord } from '@domain/mailboxes';
import { Turns } from '@domain/sends';
import { Suppressions } from '@domain/suppressions';
import { Injectable } from '@nestjs/common';
import { type CampaignFacts, type StopReason } from '../decide/facts';
import { rotationWait } from './rotation.wait';
import { ALL, domainQuota, NEW, Quotas } from '../quota/quotas.service';
import { type EngineCampaign, type EngineLead, type TurnMailbox } from './engine.world';
import { leadFacts } from './lead.facts';
import { nextEmail } from './next.email';
import { type LeadKind, type TurnWorld } from './turn.plan';

/** Leads that are read at a time. */
const BATCH = 20;

/** Opens the database as a turn sees it. */
@Injectable()
export class EngineWorlds {
  constructor(
    readonly campaigns: CampaignWork,
    readonly sequences: Sequences,
    readonly leads: DueLeads,
    readonly stops: LeadStops,
    readonly turns: Turns,
    readonly suppressions: Suppressions,
    readonly quotas: Quotas,
  ) {}

  open(mailbox: TurnMailbox, now: Date): EngineWorld {
    return new EngineWorld(this, mailbox, now);
  }
}

/** The stored campaigns and leads that one mailbox works with, at one moment. */
export class EngineWorld implements TurnWorld<EngineCampaign, EngineLead> {
  readonly batch = BATCH;
  readonly #sequences = new Map<string, PublishedSequence | null>();
  /** Campaigns of which this mailbox has nothing in sight, by the kinds of leads that are exhausted. */
  readonly #exhausted = new Map<EngineCampaign, Set<LeadKind>>();

  constructor(
    private readonly at: EngineWorlds,
    private readonly turnMailbox: TurnMailbox,
    readonly now: Date,
  ) {}

  get mailbox() {
    return this.turnMailbox.facts;
  }

  async campaigns(): Promise<EngineCampaign[]> {
    const { workspaceId, _id: mailboxId } = this.turnMailbox.record;
    const found = await this.at.campaigns.activeFor({ workspaceId, mailboxId });
    return Promise.all(found.map(({ campaign, share }) => this.campaign(campaign, share)));
  }

  /** A campaign with what it has used of its daily limits. */
  async campaign(record: CampaignRecord, share: CampaignShare): Promise<EngineCampaign> {
    const used = await this.at.quotas.usedToday(record, this.now);
    return {
      id: record._id.toHexString(),
      facts: campaignFacts(record, share, { day: this.#dayOf(record), used }),
      followUpsFirst: record.followUpsFirst,
      lastServedAt: share.lastServedAt,
      record,
      share,
    };
  }

  async due(campaign: EngineCampaign, kind: LeadKind, limit: number): Promise<EngineLead[]> {
    return this.look(campaign, await this.at.leads.due(this.#row(campaign, kind), this.now, limit));
  }

  /** The leads with the facts that are judged. */
  async look({ record }: EngineCampaign, leads: readonly LeadRecord[]): Promise<EngineLead[]> {
    if (leads.length === 0) return [];
    const emails = leads.map(({ email }) => email);
    const sequence = await this.#sequence(record);
    const suppressed = await this.at.suppressions.matching(record.workspaceId.toHexString(), emails);
    const domains = record.domainDailyLimit === null ? [] : leads.map(({ domain }) => domain);
    const used = await this.at.quotas.usedToday(record, this.now, domains);
    const { record: mailbox } = this.turnMailbox;
    const sender = { mailboxId: mailbox._id.toHexString(), email: mailbox.email, displayName: mailbox.displayName };
    return leads.map((lead) => {
      const id = lead._id.toHexString();
      const email = nextEmail(sequence, { id, stepId: lead.stepId });
      const domainUsedToday = { day: this.#dayOf(record), used: used.get(domainQuota(lead.domain)) ?? 0 };
      const around = {
        suppressed: suppressed.has(lead.email),
        domainUsedToday,
        next: email?.templates ?? null,
        sender,
      };
      return { id, facts: leadFacts(lead, around), record: lead, email };
    });
  }

  async nextDue(campaign: EngineCampaign, kind: LeadKind): Promise<Date | null> {
    const next = await this.at.leads.nextDue(this.#row(campaign, kind));
    if (next === null) {
      this.#exhausted.set(campaign, (this.#exhausted.get(campaign) ?? new Set<LeadKind>()).add(kind));
    }
    return next;
  }

  /** Campaigns of which the plan has found nobody left for this mailbox, now or later. */
  get exhausted(): CampaignRecord[] {
    return [...this.#exhausted].flatMap(([{ record }, kinds]) => (kinds.size === 2 ? [record] : []));
  }

  async rotationWait({ record, share }: EngineCampaign): Promise<Date | null> {
    if (record.mailboxes.length < 2) return null;
    const { workspaceId, _id } = record;
    const shares = await this.at.campaigns.sharesOf(workspaceId, _id);
    const mine = share.mailboxId?.toHexString();
    const others = shares.flatMap(({ mailboxId, newLeads }) => {
      const id = mailboxId?.toHexString();
      return id && id !== mine ? [{ id, taken: newLeads }] : [];
    });
    const turns = await this.at.turns.statesOf(
      workspaceId.toHexString(),
      others.map(({ id }) => id),
    );
    const own = shares.find(({ mailboxId }) => mailboxId?.toHexString() === mine)?.newLeads ?? share.newLeads;
    return rotationWait(
      own,
      others.map(({ id, taken }) => ({ taken, nextAt: turns.get(id)?.nextAt ?? null })),
      this.now,
    );
  }

  async postpone(lead: EngineLead, until: Date): Promise<void> {
    await this.at.leads.postpone(lead.record, until);
  }

  async stop({ record }: EngineLead, reason: StopReason): Promise<void> {
    const { _id, workspaceId, campaignId } = record;
    const which = { leadIds: [_id.toHexString()], campaignId: campaignId.toHexString() };
    await this.at.stops.stop(workspaceId.toHexString(), which, { reason });
  }

  /** One query for each campaign and version, whatever the number of leads. */
  async #sequence(record: CampaignRecord): Promise<PublishedSequence | null> {
    const key = record._id.toHexString();
    const known = this.#sequences.get(key);
    if (known !== undefined) return known;
    const sequence = await this.at.sequences.current(record);
    this.#sequences.set(key, sequence);
    return sequence;
  }

  #row({ record }: EngineCampaign, kind: LeadKind) {
    const { workspaceId, _id: campaignId } = record;
    return { workspaceId, campaignId, mailboxId: kind === 'new' ? null : this.turnMailbox.record._id };
  }

  #dayOf(record: CampaignRecord): string {
    return this.at.quotas.dayOf(record, this.now);
  }
}

/** What is judged of a campaign. */
export function campaignFacts(
  record: CampaignRecord,
  { nextAt }: Pick<CampaignShare, 'nextAt'>,
  { day, used }: { day: string; used: ReadonlyMap<string, number> },
): CampaignFacts {
  return {
    status: record.status,
    schedule: record.sendingSchedule,
    useLeadTimezone: record.useLeadTimezone,
    nextAt,
    dailyLimit: record.dailyLimit,
    usedToday: { day, used: used.get(ALL) ?? 0 },
    newLeadsPerDay: record.newLeadsPerDay,
    newLeadsToday: { day, used: used.get(NEW) ?? 0 },
    domainDailyLimit: record.domainDailyLimit,
  };
}

/** What is judged of a mailbox. */
export function mailboxFacts(record: MailboxRecord, { turn }: Pick<TurnMailbox, 'turn'>): TurnMailbox['facts'] {
  const { lastSentAt, day, dayUsed, slots, recent, stopped } = turn;
  return {
    status: record.status,
    sendingEnabled: record.sendingEnabled,
    retryAt: record.connection.nextCheckAt,
    pausedBySending: stopped && { reason: stopped.message },
    dailySendLimit: record.dailySendLimit,
    gapSeconds: record.sendGapSeconds,
    timezone: record.timezone,
    // Exchange Online takes 30 messages a minute from a mailbox (Microsoft Learn, "Exchange Online limits").
    perMinuteLimit: record.provider === 'microsoft' ? 30 : null,
    lastSentAt,
    day,
    dayUsed,
    slots,
    recent,
  };
}
