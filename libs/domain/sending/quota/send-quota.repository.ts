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

/** The limits of a campaign that its mailboxes share. */
export type LimitedCampaign = Pick<
  CampaignRecord,
  '_id' | 'workspaceId' | 'dailyLimit' | 'newLeadsPerDay' | 'domainDailyLimit' | 'limitsSince' | 'sendingSchedule'
>;
type Limits = Pick<LimitedCampaign, 'dailyLimit' | 'newLeadsPerDay' | 'domainDailyLimit'>;

/** The email that the quotas count. */
export interface CountedEmail {
  readonly domain: string;
  readonly isNew: boolean;
  readonly at: Date;
}

/** A claimed email with its places in the quotas. */
type EmailWithPlaces = Pick<SendRecord, 'workspaceId' | 'campaignId' | '_id' | 'places' | 'email' | 'wasNew'>;

/** The used number of emails of a day by the name of the quota. */
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
 * The daily limits that several mailboxes share. Each email reserves its places in the transaction of its claim, so
 * that no place is reserved twice. A campaign without such limits needs no query.
 */
@Injectable()
export class SendQuotaRepository {
  /** Campaigns whose earlier emails are already counted, with the time since which their limits apply. */
  readonly #counted = new Map<string, number>();

  constructor(
    @InjectModel(SendQuotaRecord.name) private readonly quotas: Model<SendQuotaRecord>,
    private readonly sends: SendReadRepository,
    private readonly transactions: TransactionService,
  ) {}

  /** Returns the day of the moment in the campaign's zone. */
  dayOf({ sendingSchedule }: LimitedCampaign, at: Date): string {
    return getDay(at, sendingSchedule.timezone);
  }

  /** Returns what is used on the campaign's day of the moment; empty, without a query, if the campaign has no limit. */
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
   * Counts the emails that were sent earlier on the day on which a limit was switched on. The first caller does so. The
   * send guard stops an email that was claimed without its places.
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

  /** Tells whether a claimed email has its place in every limit that applies now. */
  hasPlaces(
    campaign: Limits,
    { email, wasNew = false, places }: Pick<SendRecord, 'email' | 'wasNew' | 'places'>,
  ): boolean {
    return limitsOn(campaign, { domain: getEmailDomain(email), isNew: wasNew }).every(([name]) =>
      places?.names.includes(name),
    );
  }

  /**
   * Returns the places that an email needs; null if the campaign has no limit. They are stored with the email for their
   * release.
   */
  placesOf(campaign: LimitedCampaign, email: CountedEmail): SendPlaces | null {
    const names = limitsOn(campaign, email).map(([name]) => name);
    return names.length === 0 ? null : { day: this.dayOf(campaign, email.at), names };
  }

  /** Reserves the places of an email, in the transaction of its claim. @throws QuotaFullError */
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

  /** Releases the places of an email that was not sent, even if the campaign's limits have changed since. */
  async release(email: EmailWithPlaces): Promise<void> {
    const places = email.places ?? (await this.#countedWithout(email));
    if (!places) return;
    const { workspaceId, campaignId } = email;
    const taken = { workspaceId, campaignId, day: places.day, name: { $in: places.names } };
    await this.quotas.updateMany(taken, { $inc: { used: -1 } });
  }

  /** Returns the places of an email that was claimed without any and was counted when a limit was switched on. */
  async #countedWithout(send: EmailWithPlaces): Promise<SendPlaces | null> {
    const { _id, workspaceId, campaignId, email, wasNew = false } = send;
    const mark = await this.quotas
      .findOneAndUpdate(
        { workspaceId, campaignId, unplaced: _id },
        { $pull: { unplaced: _id } },
        { projection: { day: 1 } },
      )
      .lean<Pick<SendQuotaRecord, 'day'>>();
    return mark && { day: mark.day, names: [ALL, domainQuota(getEmailDomain(email)), ...(wasNew ? [NEW] : [])] };
  }
}

function getEmailDomain(email: string): string {
  return email.slice(email.lastIndexOf('@') + 1);
}

/** Counts by the name of the quota. Free-mail domains have no quota. */
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
