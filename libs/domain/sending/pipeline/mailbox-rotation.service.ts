import { type CampaignRecord, ActiveCampaignsRepository } from '@domain/campaigns';
import { MailboxLeaseService } from '@domain/sends';
import { Injectable } from '@nestjs/common';
import { actsAt, type OtherMailbox, rotationWait } from './rotation-wait';

/** What was read serves for so long; what this process does itself is known at once. */
const KEEP_MS = 250;
/** Campaigns that are remembered. */
const MOST = 500;

type Standing = { -readonly [K in keyof OtherMailbox]: OtherMailbox[K] };

const NONE: Standing = { taken: 0, nextAt: null, lastServedAt: null };

interface Table {
  readonly readAt: Date;
  /** By mailbox. */
  readonly standings: Map<string, Standing>;
}

/** How new leads are spread over the mailboxes of a campaign. */
@Injectable()
export class MailboxRotationService {
  readonly #tables = new Map<string, Table>();
  readonly #reading = new Map<string, Promise<Table>>();

  constructor(
    private readonly campaigns: ActiveCampaignsRepository,
    private readonly turns: MailboxLeaseService,
  ) {}

  /** null when the mailbox may take a new lead of the campaign now; otherwise when to look again. */
  async wait(campaign: CampaignRecord, mailboxId: string, now: Date): Promise<Date | null> {
    if (campaign.mailboxes.length < 2) return null;
    const { standings } = await this.#table(campaign, now);
    const others = [...standings].flatMap(([id, standing]) => (id === mailboxId ? [] : [standing]));
    return rotationWait(standings.get(mailboxId) ?? NONE, others, now);
  }

  /** The mailbox has taken a lead at that time. */
  took(campaignId: string, mailboxId: string, { at, isNew }: { at: Date; isNew: boolean }): void {
    const standing = this.#tables.get(campaignId)?.standings.get(mailboxId);
    if (!standing) return;
    standing.lastServedAt = at;
    if (isNew) standing.taken += 1;
  }

  /** The mailbox's turn is over, and this is when the next one is. */
  ended(mailboxId: string, turn: { readonly nextAt: Date | null; readonly isTrial: boolean }): void {
    for (const { standings } of this.#tables.values()) {
      const standing = standings.get(mailboxId);
      if (standing) standing.nextAt = actsAt(turn, { nextAt: null });
    }
  }

  /** Mailboxes that ask while it is being read wait for the same answer. */
  async #table(campaign: CampaignRecord, now: Date): Promise<Table> {
    const key = campaign._id.toHexString();
    const known = this.#tables.get(key);
    if (known && Math.abs(now.getTime() - known.readAt.getTime()) < KEEP_MS) return known;
    const reading = this.#reading.get(key) ?? this.#read(campaign, now).finally(() => this.#reading.delete(key));
    this.#reading.set(key, reading);
    return reading;
  }

  async #read({ _id, workspaceId }: CampaignRecord, now: Date): Promise<Table> {
    const shares = await this.campaigns.listShares(workspaceId, _id);
    const known = shares.flatMap((share) => (share.mailboxId ? [[share.mailboxId.toHexString(), share] as const] : []));
    const ids = known.map(([id]) => id);
    const turns = await this.turns.findStates(workspaceId.toHexString(), ids);
    const standings = known.map(([id, share]): [string, Standing] => {
      const turn = turns.get(id);
      const { newLeads: taken, lastServedAt } = share;
      return [id, { taken, lastServedAt, nextAt: turn ? actsAt(turn, share) : null }];
    });
    const table = { readAt: now, standings: new Map(standings) };
    if (this.#tables.size >= MOST) this.#tables.clear();
    this.#tables.set(_id.toHexString(), table);
    return table;
  }
}
