import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import { rerunOnWriteConflict, TransactionService } from '@platform/database';
import { type CampaignRecord } from '@domain/campaigns';
import { type CountedSends, SendReadRepository, type SendPlaces, type SendRecord } from '@domain/sends';
import { getDay, startOfDay } from '@platform/time';
import { isFreeMail } from '@platform/validation';
import { type Model } from 'mongoose';
import { SendQuotaRecord } from '../schemas/send-quota.record';
import { QuotaFullError } from './quota-full.errors';

/** The daily limits of a campaign. */
export type LimitedCampaign = Pick<
  CampaignRecord,
  '_id' | 'workspaceId' | 'dailyLimit' | 'newLeadsPerDay' | 'domainDailyLimit' | 'limitsSince' | 'sendingSchedule'
>;
type Limits = Pick<LimitedCampaign, 'dailyLimit' | 'newLeadsPerDay' | 'domainDailyLimit'>;

/** The email that is counted. */
export interface CountedEmail {
  readonly domain: string;
  readonly isNew: boolean;
  readonly at: Date;
}

/** An email that was claimed. */
type EmailWithPlaces = Pick<SendRecord, 'workspaceId' | 'campaignId' | '_id' | 'places' | 'email' | 'wasNew'>;

/** What is used of a day, by the name of the quota. */
export type UsedToday = ReadonlyMap<string, number>;

/** Maximum number of cached campaigns. */
const MOST_KNOWN = 1_000;

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
export class SendQuotaRepository {
  /** Campaigns of which it is known that what they sent before their limits held is counted, with when that was. */
  readonly #counted = new Map<string, number>();

  constructor(
    @InjectModel(SendQuotaRecord.name) private readonly quotas: Model<SendQuotaRecord>,
    private readonly sends: SendReadRepository,
    private readonly transactions: TransactionService,
  ) {}

  /** The day of the campaign that a moment belongs to. */
  dayOf({ sendingSchedule }: LimitedCampaign, at: Date): string {
    return getDay(at, sendingSchedule.timezone);
  }

  /** What is used on the campaign's day of a moment; empty, and no query, where nothing is limited. */
  async usedToday(campaign: LimitedCampaign, at: Date, domains: readonly string[] = []): Promise<UsedToday> {
    const names = [
      ...(campaign.dailyLimit === null ? [] : [ALL]),
      ...(campaign.newLeadsPerDay === null ? [] : [NEW]),
      ...(campaign.domainDailyLimit === null ? [] : [...new Set(domains)].map(domainQuota)),
    ];
    if (names.length === 0) return new Map();
    await this.#countBefore(campaign, at);
    const { _id: campaignId, workspaceId } = campaign;
    const found = await this.quotas
      .find({ workspaceId, campaignId, day: this.dayOf(campaign, at), name: { $in: names } }, { name: 1, used: 1 })
      .lean<Pick<SendQuotaRecord, 'name' | 'used'>[]>();
    return new Map(found.map(({ name, used }) => [name, used]));
  }

  /**
   * On the day on which a limit was switched on: counts what was sent earlier that day. Whoever asks first does so; an email
   * that was claimed without its places is stopped by the wire guard.
   */
  async #countBefore(campaign: LimitedCampaign, at: Date): Promise<void> {
    const { _id: campaignId, workspaceId, limitsSince } = campaign;
    const day = this.dayOf(campaign, at);
    if (!limitsSince || this.dayOf(campaign, limitsSince) !== day) return;
    const key = campaignId.toHexString();
    if (this.#counted.get(key) === limitsSince.getTime()) return;
    const row = { workspaceId, campaignId, day };
    const mark = { ...row, name: `since ${limitsSince.toISOString()}` };
    await this.transactions.run(async () => {
      if (await this.quotas.exists(mark)) return;
      const from = startOfDay(day, campaign.sendingSchedule.timezone);
      const counted = await this.sends.countSince(workspaceId, campaignId, from);
      const used = namedCounts(counted);
      await this.quotas.updateMany(row, { $set: { used: 0 } });
      const counts = [...used].map(([name, count]) => ({
        updateOne: { filter: { ...row, name }, update: { $set: { used: count } }, upsert: true },
      }));
      await rerunOnWriteConflict(() => this.quotas.bulkWrite(counts, { ordered: false }));
      await rerunOnWriteConflict(() => this.quotas.create({ ...mark, unplaced: counted.unplaced }));
    });
    if (this.#counted.size >= MOST_KNOWN) this.#counted.clear();
    this.#counted.set(key, limitsSince.getTime());
  }

  /** Whether an email that was claimed has its place in all limits that there are now. */
  hasPlaces(
    campaign: Limits,
    { email, wasNew = false, places }: Pick<SendRecord, 'email' | 'wasNew' | 'places'>,
  ): boolean {
    return limitsOn(campaign, { domain: domainOf(email), isNew: wasNew }).every(([name]) =>
      places?.names.includes(name),
    );
  }

  /** The places that an email needs; null where nothing is limited. They are stored with it, to be given back. */
  placesOf(campaign: LimitedCampaign, email: CountedEmail): SendPlaces | null {
    const names = limitsOn(campaign, email).map(([name]) => name);
    return names.length === 0 ? null : { day: this.dayOf(campaign, email.at), names };
  }

  /** Takes the places of an email, in the transaction of its claim. @throws QuotaFull */
  async reserve(campaign: LimitedCampaign, email: CountedEmail): Promise<void> {
    const { _id: campaignId, workspaceId } = campaign;
    const day = this.dayOf(campaign, email.at);
    for (const [name, max] of limitsOn(campaign, email)) {
      const { used } = await rerunOnWriteConflict(() =>
        this.quotas
          .findOneAndUpdate(
            { workspaceId, campaignId, day, name },
            { $inc: { used: 1 } },
            { upsert: true, returnDocument: 'after' },
          )
          .lean<SendQuotaRecord>()
          .orFail(),
      );
      if (used > max) throw new QuotaFullError(name);
    }
  }

  /** Gives back what an email has taken, whatever became of the campaign's limits: it was not sent after all. */
  async release(email: EmailWithPlaces): Promise<void> {
    const places = email.places ?? (await this.#countedWithout(email));
    if (!places) return;
    const { workspaceId, campaignId } = email;
    const taken = { workspaceId, campaignId, day: places.day, name: { $in: places.names } };
    await this.quotas.updateMany(taken, { $inc: { used: -1 } });
  }

  /** What an email without places took up all the same, since it was on its way when a limit was switched on. */
  async #countedWithout(send: EmailWithPlaces): Promise<SendPlaces | null> {
    const { _id, workspaceId, campaignId, email, wasNew = false } = send;
    const mark = await this.quotas
      .findOneAndUpdate(
        { workspaceId, campaignId, unplaced: _id },
        { $pull: { unplaced: _id } },
        { projection: { day: 1 } },
      )
      .lean<Pick<SendQuotaRecord, 'day'>>();
    return mark && { day: mark.day, names: [ALL, domainQuota(domainOf(email)), ...(wasNew ? [NEW] : [])] };
  }
}

function domainOf(email: string): string {
  return email.slice(email.lastIndexOf('@') + 1);
}

/** By the names of the quotas. Free-mail domains have none. */
function namedCounts({ all, new: fresh, domains }: CountedSends): Map<string, number> {
  const limited = [...domains].filter(([domain]) => !isFreeMail(domain));
  return new Map([
    [ALL, all],
    [NEW, fresh],
    ...limited.map(([domain, count]) => [domainQuota(domain), count] as const),
  ]);
}

function limitsOn(campaign: Limits, { domain, isNew }: Omit<CountedEmail, 'at'>): [string, number][] {
  const { dailyLimit, newLeadsPerDay, domainDailyLimit } = campaign;
  return [
    ...(dailyLimit === null ? [] : [[ALL, dailyLimit] as [string, number]]),
    ...(newLeadsPerDay === null || !isNew ? [] : [[NEW, newLeadsPerDay] as [string, number]]),
    ...(domainDailyLimit === null || isFreeMail(domain)
      ? []
      : [[domainQuota(domain), domainDailyLimit] as [string, number]]),
  ];
}
