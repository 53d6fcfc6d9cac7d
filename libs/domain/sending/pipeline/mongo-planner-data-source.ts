import {
  type CampaignRecord,
  type CampaignShare,
  type ActiveCampaignsRepository,
  type PublishedSequence,
  type SequenceVersionService,
} from '@domain/campaigns';
import { type LeadRecord, type LeadRow } from '@domain/leads';
import { type StopReason } from '../decide/facts';
import { earlier } from '../decide/limits';
import { domainQuota, type SendQuotaRepository } from '../quota/send-quota.repository';
import { type EngineCampaign, type EngineLead, type MailboxSenderCache } from './mailbox-sender-cache';
import { type SenderMailbox } from './sender-run';
import { LazyLeadFacts } from './lazy-lead-facts';
import { type DueLeadCacheService, type OfferedLead } from './due-lead-cache.service';
import { campaignFacts } from './stored-facts';
import { type PostponedLeadsService } from './postponed-leads.service';
import { type LeadKind, type Postponing, type PlannerDataSource } from './plan-next-send';

/** Leads per read. */
const BATCH = 20;

/** The services that provide the stored data. */
export interface PlannerSources {
  readonly campaigns: Pick<ActiveCampaignsRepository, 'listFor'>;
  readonly sequences: SequenceVersionService;
  readonly dueLeads: DueLeadCacheService;
  readonly postponed: PostponedLeadsService;
  readonly quotas: SendQuotaRepository;
  getRotationWait(campaign: CampaignRecord, mailboxId: string, now: Date): Promise<Date | null>;
}

/** The stored campaigns and leads of one mailbox at one moment. */
export class MongoPlannerDataSource implements PlannerDataSource<EngineCampaign, EngineLead> {
  readonly batch = BATCH;
  readonly #sequences = new Map<string, PublishedSequence | null>();
  /** By campaign: whether all leads are freed that earlier settings have postponed. */
  readonly #freed = new Map<string, boolean>();
  /** Campaigns without further leads for this mailbox, by the exhausted kinds. */
  readonly #exhausted = new Map<EngineCampaign, Set<LeadKind>>();

  constructor(
    private readonly sources: PlannerSources,
    private readonly senderMailbox: SenderMailbox,
    readonly now: Date,
    private readonly cache: MailboxSenderCache,
  ) {}

  get mailbox() {
    return this.senderMailbox.facts;
  }

  async campaigns(): Promise<readonly EngineCampaign[]> {
    if (this.cache.campaigns) return this.cache.campaigns;
    const { workspaceId, _id: mailboxId } = this.senderMailbox.record;
    const found = await this.sources.campaigns.listFor({ workspaceId, mailboxId });
    const campaigns = await Promise.all(found.map(({ campaign, share }) => this.campaign(campaign, share)));
    this.cache.store(campaigns);
    return campaigns;
  }

  /** Returns a campaign with the use of its daily limits. */
  async campaign(record: CampaignRecord, share: CampaignShare): Promise<EngineCampaign> {
    const used = await this.sources.quotas.usedToday(record, this.now);
    return {
      id: record._id.toHexString(),
      facts: campaignFacts(record, share, { day: this.#getDay(record), used }),
      followUpsFirst: record.followUpsFirst,
      lastServedAt: share.lastServedAt,
      record,
      share,
    };
  }

  async due(campaign: EngineCampaign, kind: LeadKind, limit: number): Promise<EngineLead[]> {
    await this.#free(campaign);
    if (kind === 'followUp' && (this.cache.getUnreadableUntil(this.now) || !(await this.#hasFollowUps(campaign))))
      return [];
    const leads: OfferedLead[] = [];
    for (const row of this.#rows(campaign, kind)) {
      if (leads.length < limit) leads.push(...(await this.sources.dueLeads.due(row, this.now, limit - leads.length)));
    }
    return this.#toEngineLeads(campaign, leads);
  }

  /** Frees leads that earlier settings have postponed, once for each plan. */
  async #free(campaign: EngineCampaign): Promise<void> {
    if (this.#freed.has(campaign.id)) return;
    const { freed, isDone } = await this.sources.postponed.free(campaign.record, this.now);
    this.#freed.set(campaign.id, isDone);
    if (freed > 0) this.cache.forgetFollowUps(campaign);
  }

  /** Returns leads with the facts for decisions, due or not. */
  async refresh(campaign: EngineCampaign, leads: readonly LeadRecord[]): Promise<EngineLead[]> {
    return this.#toEngineLeads(campaign, await this.sources.dueLeads.evaluated(campaign.record.workspaceId, leads));
  }

  async #toEngineLeads({ record }: EngineCampaign, leads: readonly OfferedLead[]): Promise<EngineLead[]> {
    if (leads.length === 0) return [];
    const sequence = await this.#sequence(record);
    const domains = record.domainDailyLimit === null ? [] : leads.map((lead) => lead.record.domain);
    const used = await this.sources.quotas.usedToday(record, this.now, domains);
    const { record: mailbox } = this.senderMailbox;
    const sender = { mailboxId: mailbox._id.toHexString(), email: mailbox.email, displayName: mailbox.displayName };
    const former = new Set(record.formerMailboxes.map((id) => id.toHexString()));
    const day = this.#getDay(record);
    return leads.map(({ record: lead, suppressed }) => {
      const domainUsedToday = { day, used: used.get(domainQuota(lead.domain)) ?? 0 };
      const senderHasLeft = lead.mailboxId !== null && former.has(lead.mailboxId.toHexString());
      const { revision } = record;
      return new LazyLeadFacts(lead, sequence, { suppressed, revision, domainUsedToday, sender, senderHasLeft });
    });
  }

  async nextDue(campaign: EngineCampaign, kind: LeadKind): Promise<Date | null> {
    // Leads that are not yet freed are due by their own date.
    if (this.#freed.get(campaign.id) === false) return this.now;
    const next = await this.#nextDue(campaign, kind);
    if (next === null) {
      this.#exhausted.set(campaign, (this.#exhausted.get(campaign) ?? new Set<LeadKind>()).add(kind));
    }
    const unreadUntil = kind === 'followUp' ? this.cache.getUnreadableUntil(this.now) : null;
    return next && unreadUntil && unreadUntil > next ? unreadUntil : next;
  }

  /** Cached: if no follow-up is due, the same query returns when the next one is. */
  async #hasFollowUps(campaign: EngineCampaign): Promise<boolean> {
    let next = this.cache.followUpDue(campaign);
    if (next === undefined) {
      next = await this.#readNextDue(campaign, 'followUp');
      this.cache.noFollowUpBefore(campaign, next);
    }
    return next !== null && next <= this.now;
  }

  async #nextDue(campaign: EngineCampaign, kind: LeadKind): Promise<Date | null> {
    const known = kind === 'followUp' ? this.cache.followUpDue(campaign) : undefined;
    if (known === null || (known && known > this.now)) return known;
    const next = await this.#readNextDue(campaign, kind);
    if (kind === 'followUp') this.cache.noFollowUpBefore(campaign, next);
    return next;
  }

  async #readNextDue(campaign: EngineCampaign, kind: LeadKind): Promise<Date | null> {
    let next: Date | null = null;
    for (const row of this.#rows(campaign, kind)) next = earlier(next, await this.sources.dueLeads.nextDue(row));
    return next;
  }

  /** Campaigns without any lead left for this mailbox, now or later. */
  get exhausted(): CampaignRecord[] {
    return [...this.#exhausted].flatMap(([{ record }, kinds]) => (kinds.size === 2 ? [record] : []));
  }

  async rotationWait({ record }: EngineCampaign): Promise<Date | null> {
    return this.sources.getRotationWait(record, this.senderMailbox.record._id.toHexString(), this.now);
  }

  async postpone(lead: EngineLead, until: Date, { reason, campaign }: Postponing<EngineCampaign>): Promise<void> {
    await this.sources.postponed.postpone(lead.record, { until, reason, revision: campaign.record.revision });
  }

  async stop({ record }: EngineLead, reason: StopReason): Promise<void> {
    await this.sources.dueLeads.stop(record, reason);
  }

  reserve({ record }: EngineLead): boolean {
    return record.mailboxId !== null || this.sources.dueLeads.reserve(record);
  }

  /** Runs one query for each campaign and version, independent of the number of leads. */
  async #sequence(record: CampaignRecord): Promise<PublishedSequence | null> {
    const key = record._id.toHexString();
    const known = this.#sequences.get(key);
    if (known !== undefined) return known;
    const sequence = await this.sources.sequences.findCurrent(record);
    this.#sequences.set(key, sequence);
    return sequence;
  }

  /**
   * The mailbox's own follow-ups come first, then those of mailboxes that have left the campaign. The mailbox that
   * sends to such a lead becomes its sender.
   */
  #rows({ record }: EngineCampaign, kind: LeadKind): LeadRow[] {
    const { workspaceId, _id: campaignId, formerMailboxes } = record;
    const senders = kind === 'new' ? [null] : [this.senderMailbox.record._id, ...formerMailboxes];
    return senders.map((mailboxId) => ({ workspaceId, campaignId, mailboxId }));
  }

  #getDay(record: CampaignRecord): string {
    return this.sources.quotas.dayOf(record, this.now);
  }
}
