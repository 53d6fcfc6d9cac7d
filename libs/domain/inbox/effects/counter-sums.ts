import { type CampaignCount } from '@domain/campaigns';
import { type MailboxCount } from '@domain/mailboxes';
import { getLeadEventSubject, type LeadEvent } from './lead-event-data';

/** The increments of one campaign's counters, for one of its mailboxes. */
export interface CampaignSum {
  readonly campaignId: string;
  readonly mailboxId: string | null;
  readonly count: Required<Pick<CampaignCount, 'stats' | 'steps'>>;
}

type Sums = Partial<Record<string, number>>;

/** Sums by campaign and mailbox, sorted: concurrent transactions lock the counters in the same order. */
export function sumByCampaign(events: readonly LeadEvent[]): CampaignSum[] {
  const sums = new Map<string, CampaignSum>();
  for (const { match, event } of events) {
    const { figure, ofStep } = event;
    const campaignId = match.lead.campaignId.toHexString();
    const mailboxId = getLeadEventSubject(match).mailboxId ?? null;
    const key = `${campaignId} ${mailboxId}`;
    const sum = sums.get(key) ?? { campaignId, mailboxId, count: { stats: {}, steps: {} } };
    sums.set(key, sum);
    if (figure) increment(sum.count.stats, figure);
    if (ofStep && match.send) {
      const steps = sum.count.steps as Record<string, Sums>;
      increment((steps[match.send.stepId.toHexString()] ??= {}), ofStep);
    }
  }
  return [...sums].toSorted(([one], [other]) => (one < other ? -1 : 1)).map(([, sum]) => sum);
}

/** Sums by mailbox and time, sorted as above. */
export function sumByMailbox(events: readonly LeadEvent[]): MailboxCount[] {
  const counts = new Map<string, MailboxCount>();
  for (const { match, event } of events) {
    const { ofMailbox, at } = event;
    const { mailboxId } = getLeadEventSubject(match);
    if (!ofMailbox || !mailboxId) continue;
    const key = `${mailboxId} ${at.getTime()}`;
    const count = counts.get(key) ?? { mailboxId, figures: {}, at };
    counts.set(key, count);
    increment(count.figures, ofMailbox);
  }
  return [...counts].toSorted(([one], [other]) => (one < other ? -1 : 1)).map(([, count]) => count);
}

function increment(sums: Sums, name: string): void {
  sums[name] = (sums[name] ?? 0) + 1;
}
