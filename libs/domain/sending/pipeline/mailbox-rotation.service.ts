import { ActiveCampaignsRepository, type CampaignRecord } from '@domain/campaigns';
import { MailboxLeaseService } from '@domain/sends';
import { Injectable } from '@nestjs/common';
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

/** How new leads are spread over the mailboxes of a campaign. */
@Injectable()
export class MailboxRotationService {
  readonly #tables = new Map<string, RotationTable>();
  readonly #reading = new Map<string, Promise<RotationTable>>();

  constructor(
    private readonly campaigns: ActiveCampaignsRepository,
    private readonly leases: MailboxLeaseService,
  ) {}

  /** Returns null when the mailbox may take a new lead of the campaign now, otherwise when to ask again. */
  async wait(campaign: CampaignRecord, mailboxId: string, now: Date): Promise<Date | null> {
    if (campaign.mailboxes.length < 2) return null;
    const { states } = await this.#table(campaign, now);
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
  async #table(campaign: CampaignRecord, now: Date): Promise<RotationTable> {
    const key = campaign._id.toHexString();
    const known = this.#tables.get(key);
    if (known && Math.abs(now.getTime() - known.readAt.getTime()) < FRESH_MS) return known;
    const reading = this.#reading.get(key) ?? this.#read(campaign, now).finally(() => this.#reading.delete(key));
    this.#reading.set(key, reading);
    return reading;
  }

  async #read({ _id, workspaceId }: CampaignRecord, now: Date): Promise<RotationTable> {
    const shares = await this.campaigns.listShares(workspaceId, _id);
    const known = shares.flatMap((share) => (share.mailboxId ? [[share.mailboxId.toHexString(), share] as const] : []));
    const ids = known.map(([id]) => id);
    const turns = await this.leases.findStates(workspaceId.toHexString(), ids);
    const states = known.map(([id, share]): [string, MailboxState] => {
      const lease = turns.get(id);
      const { newLeads: taken, lastServedAt } = share;
      return [id, { taken, lastServedAt, nextAt: lease ? actsAt(lease, share) : null }];
    });
    const table = { readAt: now, states: new Map(states) };
    if (this.#tables.size >= MAX_CAMPAIGNS) this.#tables.clear();
    this.#tables.set(_id.toHexString(), table);
    return table;
  }
}
