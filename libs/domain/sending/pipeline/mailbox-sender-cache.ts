import { type CampaignRecord, type CampaignShare } from '@domain/campaigns';
import { NO_REPLIES, type OpenReplies } from '@domain/inbox';
import { type LeadRecord } from '@domain/leads';
import { type MailboxRecord } from '@domain/mailboxes';
import { type MailboxLease } from '@domain/sends';
import { type MailboxFacts } from '../decide/facts';
import { type NextEmail } from './next-email';
import { type CampaignAtWork, type LeadAtWork } from './plan-next-send';

/** A campaign that the mailbox works for, with what is stored of it. */
export interface EngineCampaign extends CampaignAtWork {
  readonly record: CampaignRecord;
  readonly share: CampaignShare;
}

/** A lead with the email that it would be sent; none when the sequence has nothing more for it. */
export interface EngineLead extends LeadAtWork {
  readonly record: LeadRecord;
  readonly email: NextEmail | null;
}

/** The mailbox whose turn it is. */
export interface SenderMailbox {
  readonly lease: MailboxLease;
  readonly record: MailboxRecord;
  readonly facts: MailboxFacts;
}

/** How long what a turn has read serves the emails that follow at once. */
const FRESH_MS = 1_000;

/**
 * What a turn has read a moment ago. Without it each email of a mailbox without a gap would begin with the same queries; what
 * makes a claim and the wire safe are their guards, which look at what is stored.
 */
export class MailboxSenderCache {
  #campaigns: EngineCampaign[] | null = null;

  /** By campaign: when the mailbox's next follow-up is due, null for never. */
  readonly #followUps = new Map<string, Date | null>();

  /** Follow-ups wait until then, since the mailbox cannot be read; null when they need not. */
  #unreadUntil: Date | null = null;
  #isOld = false;

  /** @param replies null after one of them was taken */
  constructor(
    private readonly readAt: Date,
    public replies: OpenReplies | null = NO_REPLIES,
  ) {}

  isFresh(now: Date): boolean {
    return !this.#isOld && Math.abs(now.getTime() - this.readAt.getTime()) < FRESH_MS;
  }

  /** What the turn looks at when this is fresh no more. */
  next(readAt: Date, replies: OpenReplies): MailboxSenderCache {
    const next = new MailboxSenderCache(readAt, replies);
    next.#unreadUntil = this.#unreadUntil;
    return next;
  }

  /** The mailbox cannot be read, which may have changed how it stands: that is looked at before anything else is sent. */
  setUnreadable(until: Date): void {
    this.#unreadUntil = until;
    this.#isOld = true;
  }

  /** Until when no follow-up may be sent; null when they may. */
  getUnreadableUntil(now: Date): Date | null {
    return this.#unreadUntil && this.#unreadUntil > now ? this.#unreadUntil : null;
  }

  get campaigns(): readonly EngineCampaign[] | null {
    return this.#campaigns;
  }

  /** Campaigns whose daily limits are shared with other mailboxes are read for each email. */
  store(campaigns: readonly EngineCampaign[]): void {
    const isShared = campaigns.some(
      ({ record }) => (record.dailyLimit ?? record.newLeadsPerDay ?? record.domainDailyLimit) !== null,
    );
    this.#campaigns = isShared ? null : [...campaigns];
  }

  /** When the mailbox's next follow-up of the campaign is due, null for never; undefined when it is not known. */
  followUpDue({ id }: EngineCampaign): Date | null | undefined {
    return this.#followUps.get(id);
  }

  /** Follow-ups come from this mailbox's own emails, so that nobody else brings one forward within a moment. */
  noFollowUpBefore({ id }: EngineCampaign, dueAt: Date | null): void {
    this.#followUps.set(id, dueAt);
  }

  /** Follow-ups of the campaign may be due that were not. */
  forgetFollowUps({ id }: EngineCampaign): void {
    this.#followUps.delete(id);
  }

  /** A lead of the campaign was claimed: the others have been waiting for longer now. */
  recordServed({ id }: EngineCampaign, { email }: EngineLead, at: Date, nextAt: Date | null): void {
    if (email?.isFollowedAtOnce) this.#followUps.delete(id);
    const served = this.#campaigns?.find((campaign) => campaign.id === id);
    if (!this.#campaigns || !served) return;
    const now: EngineCampaign = { ...served, facts: { ...served.facts, nextAt }, lastServedAt: at };
    this.#campaigns = [...this.#campaigns.filter((campaign) => campaign !== served), now];
  }
}
