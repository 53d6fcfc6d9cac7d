import { ActiveCampaignsRepository, type CampaignRecord, SequenceVersionService } from '@domain/campaigns';
import { MailboxLeaseService } from '@domain/sends';
import { Injectable } from '@nestjs/common';
import { SendQuotaRepository } from '../quota/send-quota.repository';
import { MailboxReadBatchService } from './batching/mailbox-read-batch.service';
import { DueLeadCacheService } from './due-lead-cache.service';
import { MailboxSenderCache } from './mailbox-sender-cache';
import { type SenderMailbox } from './sender-run';
import { MongoPlannerDataSource, type PlannerSources } from './mongo-planner-data-source';
import { PostponedLeadsService } from './postponed-leads.service';
import { actsAt, type OtherMailbox, rotationWait } from './rotation-wait';

/** How long a read stays valid; changes by this process are recorded at once. */
const FRESH_MS = 250;
/** Maximum number of cached campaigns. */
const MAX_CAMPAIGNS = 500;

type MailboxState = { -readonly [K in keyof OtherMailbox]: OtherMailbox[K] };

const NO_STATE: MailboxState = { taken: 0, nextAt: null, lastServedAt: null };

interface RotationTable {
  readonly readAt: Date;
  /** By mailbox. */
  readonly states: Map<string, MailboxState>;
}

/**
 * Opens the stored data source of the planner, and computes the rotation: how new leads spread over the mailboxes of a
 * campaign.
 */
@Injectable()
export class PlannerDataSourceService implements PlannerSources {
  readonly #tables = new Map<string, RotationTable>();
  readonly #reading = new Map<string, Promise<RotationTable>>();

  constructor(
    readonly campaigns: MailboxReadBatchService,
    readonly sequences: SequenceVersionService,
    readonly dueLeads: DueLeadCacheService,
    readonly postponed: PostponedLeadsService,
    readonly quotas: SendQuotaRepository,
    private readonly shares: ActiveCampaignsRepository,
    private readonly leases: MailboxLeaseService,
  ) {}

  open(mailbox: SenderMailbox, now: Date, cache = new MailboxSenderCache(now)): MongoPlannerDataSource {
    return new MongoPlannerDataSource(this, mailbox, now, cache);
  }

  /** Returns null if the mailbox may take a new lead of the campaign now, otherwise when to plan again. */
  async getRotationWait(campaign: CampaignRecord, mailboxId: string, now: Date): Promise<Date | null> {
    if (campaign.mailboxes.length < 2) return null;
    const { states } = await this.#getRotation(campaign, now);
    const others = [...states].flatMap(([id, state]) => (id === mailboxId ? [] : [state]));
    return rotationWait(states.get(mailboxId) ?? NO_STATE, others, now);
  }

  /** Records in the cache that the mailbox has taken a lead. */
  recordServed(campaignId: string, mailboxId: string, { at, isNew }: { at: Date; isNew: boolean }): void {
    const state = this.#tables.get(campaignId)?.states.get(mailboxId);
    if (!state) return;
    state.lastServedAt = at;
    if (isNew) state.taken += 1;
  }

  /** Records in the cache the next run of the mailbox. */
  recordNextRun(mailboxId: string, lease: { readonly nextAt: Date | null; readonly isPoll: boolean }): void {
    for (const { states } of this.#tables.values()) {
      const state = states.get(mailboxId);
      if (state) state.nextAt = actsAt(lease, { nextAt: null });
    }
  }

  /** Concurrent callers share one read. */
  async #getRotation(campaign: CampaignRecord, now: Date): Promise<RotationTable> {
    const key = campaign._id.toHexString();
    const known = this.#tables.get(key);
    if (known && Math.abs(now.getTime() - known.readAt.getTime()) < FRESH_MS) return known;
    const reading =
      this.#reading.get(key) ?? this.#readRotation(campaign, now).finally(() => this.#reading.delete(key));
    this.#reading.set(key, reading);
    return reading;
  }

  async #readRotation({ _id, workspaceId }: CampaignRecord, now: Date): Promise<RotationTable> {
    const shares = await this.shares.listShares(workspaceId, _id);
    const known = shares.flatMap((share) => (share.mailboxId ? [[share.mailboxId.toHexString(), share] as const] : []));
    const ids = known.map(([id]) => id);
    const leases = await this.leases.findStates(workspaceId.toHexString(), ids);
    const states = known.map(([id, share]): [string, MailboxState] => {
      const lease = leases.get(id);
      const { newLeads: taken, lastServedAt } = share;
      return [id, { taken, lastServedAt, nextAt: lease ? actsAt(lease, share) : null }];
    });
    const table = { readAt: now, states: new Map(states) };
    if (this.#tables.size >= MAX_CAMPAIGNS) this.#tables.clear();
    this.#tables.set(_id.toHexString(), table);
    return table;
  }
}
