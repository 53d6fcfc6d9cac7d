import { type CampaignCount, CampaignCountersService, CampaignRepository } from '@domain/campaigns';
import { type EventCount, EventsService } from '@domain/events';
import { LeadRepository } from '@domain/leads';
import { SendReadRepository } from '@domain/sends';
import { Injectable } from '@nestjs/common';
import { TransactionService } from '@platform/database';
import { type Types } from 'mongoose';
import { type FigureDifference, getDifferences, type Recount, RECOUNTED_EVENTS } from './recounted-figures';

/** The result of a recount. */
export interface Recounted {
  /** Number of recounted campaigns. */
  readonly campaigns: number;
  readonly differences: readonly (FigureDifference & { readonly campaignId: string })[];
}

export interface RecountOptions {
  /** Restricts the recount to this campaign. */
  readonly campaignId?: string | undefined;
  /** Whether the recount only reports differences. */
  readonly isCheck: boolean;
}

/**
 * Recomputes the counters of campaigns from their leads, emails, events and machine engagements. Counters change in the
 * transactions of what they count, so a recount normally finds no difference. It repairs databases that were restored,
 * edited by hand, or written by a faulty version.
 */
@Injectable()
export class CampaignCountersRebuildService {
  constructor(
    private readonly campaigns: CampaignRepository,
    private readonly counters: CampaignCountersService,
    private readonly events: EventsService,
    private readonly transactions: TransactionService,
    private readonly leads: LeadRepository,
    private readonly sends: SendReadRepository,
  ) {}

  /**
   * Uses one transaction for each campaign that seems to differ, which reads counters and events of a running campaign together
   * and corrects by the difference.
   * @throws NOT_FOUND for an unknown campaign; SERVICE_UNAVAILABLE when a campaign is too busy to be corrected
   */
  async run(workspaceId: string, { campaignId, isCheck }: RecountOptions): Promise<Recounted> {
    if (campaignId !== undefined) {
      const { _id } = await this.campaigns.find({ workspaceId }, campaignId);
      return { campaigns: 1, differences: await this.#recount(workspaceId, _id, isCheck) };
    }
    const campaignIds = await this.campaigns.listIds(workspaceId);
    const differences: Recounted['differences'][number][] = [];
    for (const id of await this.#suspects(workspaceId, campaignIds)) {
      differences.push(...(await this.#recount(workspaceId, id, isCheck)));
    }
    return { campaigns: campaignIds.length, differences };
  }

  /** Lists campaigns that seem to differ, with one query for the events of all; concurrent sends may add some. */
  async #suspects(workspaceId: string, campaignIds: readonly Types.ObjectId[]): Promise<Types.ObjectId[]> {
    const all = Map.groupBy(await this.events.countByCampaign(workspaceId, RECOUNTED_EVENTS), ({ campaignId }) =>
      campaignId.toHexString(),
    );
    const suspects: Types.ObjectId[] = [];
    for (const id of campaignIds) {
      const differences = await this.#differences(workspaceId, id, all.get(id.toHexString()) ?? []);
      if (differences.length > 0) suspects.push(id);
    }
    return suspects;
  }

  async #recount(workspaceId: string, campaignId: Types.ObjectId, isCheck: boolean) {
    const found = await this.transactions.run(() => this.#campaign(workspaceId, campaignId, isCheck));
    return found.map((one) => ({ campaignId: campaignId.toHexString(), ...one }));
  }

  async #campaign(workspaceId: string, campaignId: Types.ObjectId, isCheck: boolean): Promise<FigureDifference[]> {
    const events = await this.events.countByCampaign(workspaceId, RECOUNTED_EVENTS, campaignId);
    const differences = await this.#differences(workspaceId, campaignId, events);
    if (!isCheck) {
      for (const difference of differences) {
        await this.counters.count(workspaceId, campaignId, difference.mailboxId, toCorrection(difference));
      }
    }
    return differences;
  }

  async #differences(
    workspaceId: string,
    campaignId: Types.ObjectId,
    events: readonly EventCount[],
  ): Promise<FigureDifference[]> {
    const shares = await this.campaigns.listShares(workspaceId, campaignId);
    return getDifferences(shares, await this.#readSources(workspaceId, campaignId, events));
  }

  /** @param events counted events of the campaign; joins a running transaction */
  async #readSources(workspaceId: string, campaignId: Types.ObjectId, events: readonly EventCount[]): Promise<Recount> {
    return {
      events,
      leads: await this.leads.countByStatus(workspaceId, campaignId),
      machines: await this.sends.countMachineEngagement(workspaceId, campaignId),
      taken: await this.sends.countFirstByMailbox(workspaceId, campaignId),
    };
  }
}

/** Corrects by the difference with `$inc`, so that concurrent counts are kept. */
function toCorrection({ figure, is, shouldBe }: FigureDifference): CampaignCount {
  const by = shouldBe - is;
  const [kind = '', name = '', ofStep = ''] = figure.split('.');
  if (kind === 'newLeads') return { newLeads: by };
  return kind === 'steps' ? { steps: { [name]: { [ofStep]: by } } } : { [kind]: { [name]: by } };
}
