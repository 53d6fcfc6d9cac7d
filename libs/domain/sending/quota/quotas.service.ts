import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import { rerunOnLostRace } from '@platform/database';
import { type CampaignRecord } from '@domain/campaigns';
import { dayOf } from '@platform/time';
import { isFreeMail } from '@platform/validation';
import { type Model } from 'mongoose';
import { SendQuotaRecord } from '../schemas/send-quota.record';

/** The daily limits of a campaign. */
export type LimitedCampaign = Pick<
  CampaignRecord,
  '_id' | 'workspaceId' | 'dailyLimit' | 'newLeadsPerDay' | 'domainDailyLimit' | 'sendingSchedule'
>;

/** The email that is counted. */
export interface CountedEmail {
  readonly domain: string;
  readonly isNew: boolean;
  readonly at: Date;
}

/** The last place of a day was taken by another mailbox: the claim is undone and the turn looks again. */
export class QuotaFull extends Error {
  constructor(readonly quota: string) {
    super(`The daily limit "${quota}" of the campaign was reached by another mailbox`);
  }
}

/** What is used of a day, by the name of the quota. */
export type UsedToday = ReadonlyMap<string, number>;

export const ALL = 'all';
export const NEW = 'new';

/** The name of a recipient domain's quota. */
export function domainQuota(domain: string): string {
  return `@${domain}`;
}

/**
 * The daily limits that several mailboxes share. Each email takes its places in the transaction of its claim, so that none
 * is given twice; a campaign without such limits costs nothing.
 */
@Injectable()
export class Quotas {
  constructor(@InjectModel(SendQuotaRecord.name) private readonly quotas: Model<SendQuotaRecord>) {}

  /** The day of the campaign that a moment belongs to. */
  dayOf({ sendingSchedule }: LimitedCampaign, at: Date): string {
    return dayOf(at, sendingSchedule.timezone);
  }

  /** What is used on the campaign's day of a moment; empty, and no query, where nothing is limited. */
  async usedToday(campaign: LimitedCampaign, at: Date, domains: readonly string[] = []): Promise<UsedToday> {
    const names = [
      ...(campaign.dailyLimit === null ? [] : [ALL]),
      ...(campaign.newLeadsPerDay === null ? [] : [NEW]),
      ...(campaign.domainDailyLimit === null ? [] : [...new Set(domains)].map(domainQuota)),
    ];
    if (names.length === 0) return new Map();
    const { _id: campaignId, workspaceId } = campaign;
    const found = await this.quotas
      .find({ workspaceId, campaignId, day: this.dayOf(campaign, at), name: { $in: names } }, { name: 1, used: 1 })
      .lean<Pick<SendQuotaRecord, 'name' | 'used'>[]>();
    return new Map(found.map(({ name, used }) => [name, used]));
  }

  /** Takes the places of an email, in the transaction of its claim. @throws QuotaFull */
  async take(campaign: LimitedCampaign, email: CountedEmail): Promise<void> {
    for (const [name, max] of limitsOn(campaign, email)) {
      const { used } = await this.#add(campaign, email.at, name, 1);
      if (used > max) throw new QuotaFull(name);
    }
  }

  /** Gives them back: it was not sent after all. */
  async giveBack(campaign: LimitedCampaign, email: CountedEmail): Promise<void> {
    for (const [name] of limitsOn(campaign, email)) await this.#add(campaign, email.at, name, -1);
  }

  async #add(campaign: LimitedCampaign, at: Date, name: string, by: number): Promise<SendQuotaRecord> {
    const { _id: campaignId, workspaceId } = campaign;
    return rerunOnLostRace(() =>
      this.quotas
        .findOneAndUpdate(
          { workspaceId, campaignId, day: this.dayOf(campaign, at), name },
          { $inc: { used: by } },
          { upsert: true, returnDocument: 'after' },
        )
        .lean<SendQuotaRecord>()
        .orFail(),
    );
  }
}

function limitsOn(campaign: LimitedCampaign, { domain, isNew }: CountedEmail): [string, number][] {
  const { dailyLimit, newLeadsPerDay, domainDailyLimit } = campaign;
  return [
    ...(dailyLimit === null ? [] : [[ALL, dailyLimit] as [string, number]]),
    ...(newLeadsPerDay === null || !isNew ? [] : [[NEW, newLeadsPerDay] as [string, number]]),
    ...(domainDailyLimit === null || isFreeMail(domain)
      ? []
      : [[domainQuota(domain), domainDailyLimit] as [string, number]]),
  ];
}
