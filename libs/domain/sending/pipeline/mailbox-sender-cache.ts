import { type CampaignRecord, type CampaignShare } from '@domain/campaigns';
import { type LeadRecord } from '@domain/leads';
import { type NextEmail } from './next-email';
import { type CampaignAtWork, type LeadAtWork } from './plan-next-send';

/** A campaign of the mailbox, with its records. */
export interface EngineCampaign extends CampaignAtWork {
  readonly record: CampaignRecord;
  readonly share: CampaignShare;
}

/** A lead with its next email; null after the last step. */
export interface EngineLead extends LeadAtWork {
  readonly record: LeadRecord;
  readonly email: NextEmail | null;
}

/**
 * Caches the reads of a run, since emails of a mailbox without a gap would repeat them. Claims and handovers stay safe:
 * their guards read the stored records.
 */
export class MailboxSenderCache {
  #campaigns: EngineCampaign[] | null = null;

  /** By campaign: when the mailbox's next follow-up is due; null if there is none. */
  readonly #followUps = new Map<string, Date | null>();

  /** Until when follow-ups wait because the mailbox cannot be read; otherwise null. */
  #unreadUntil: Date | null = null;

  constructor(readonly readAt: Date) {}

  /** Returns the cache that replaces this expired one. */
  next(readAt: Date): MailboxSenderCache {
    const next = new MailboxSenderCache(readAt);
    next.#unreadUntil = this.#unreadUntil;
    return next;
  }

  /** Records that the mailbox cannot be read. */
  setUnreadable(until: Date): void {
    this.#unreadUntil = until;
  }

  /** Returns until when no follow-up may be sent; null if follow-ups may be sent. */
  getUnreadableUntil(now: Date): Date | null {
    return this.#unreadUntil && this.#unreadUntil > now ? this.#unreadUntil : null;
  }

  get campaigns(): readonly EngineCampaign[] | null {
    return this.#campaigns;
  }

  /** Stores campaigns. Those with daily limits, which mailboxes share, are read again for each email. */
  store(campaigns: readonly EngineCampaign[]): void {
    const isShared = campaigns.some(
      ({ record }) => (record.dailyLimit ?? record.newLeadsPerDay ?? record.domainDailyLimit) !== null,
    );
    this.#campaigns = isShared ? null : [...campaigns];
  }

  /**
   * Returns when the mailbox's next follow-up of the campaign is due, null if there is none; undefined if it is not
   * known.
   */
  followUpDue({ id }: EngineCampaign): Date | null | undefined {
    return this.#followUps.get(id);
  }

  /**
   * Records when the next follow-up is due. Follow-ups result from this mailbox's own emails, so no other mailbox makes
   * one due earlier.
   */
  noFollowUpBefore({ id }: EngineCampaign, dueAt: Date | null): void {
    this.#followUps.set(id, dueAt);
  }

  /** Forgets the cached follow-up date, because follow-ups may be due earlier now. */
  forgetFollowUps({ id }: EngineCampaign): void {
    this.#followUps.delete(id);
  }

  /** Records a claim of the campaign and moves it behind the others. */
  recordServed({ id }: EngineCampaign, { email }: EngineLead, at: Date, nextAt: Date | null): void {
    if (email?.isFollowedAtOnce) this.#followUps.delete(id);
    const served = this.#campaigns?.find((campaign) => campaign.id === id);
    if (!this.#campaigns || !served) return;
    const now: EngineCampaign = { ...served, facts: { ...served.facts, nextAt }, lastServedAt: at };
    this.#campaigns = [...this.#campaigns.filter((campaign) => campaign !== served), now];
  }
}
