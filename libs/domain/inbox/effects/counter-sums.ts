import { type CampaignCount } from '@domain/campaigns';
import { type MailboxCount } from '@domain/mailboxes';
import { getAbout, type LeadEvent } from './lead-event-data';

/** What is added to the figures of one campaign and one mailbox. */
export interface ShareCount {
  readonly campaignId: string;
  readonly mailboxId: string | null;
  readonly count: Required<Pick<CampaignCount, 'stats' | 'steps'>>;
}

type Sums = Partial<Record<string, number>>;

/** Each campaign's share of a mailbox once, in an order of their own: who comes to the same ones waits, and is not waited for. */
export function shareCounts(told: readonly LeadEvent[]): ShareCount[] {
  const shares = new Map<string, ShareCount>();
  for (const { match, happening } of told) {
    const { figure, ofStep } = happening;
    const campaignId = match.lead.campaignId.toHexString();
    const mailboxId = getAbout(match).mailboxId ?? null;
    const key = `${campaignId} ${mailboxId}`;
    const share = shares.get(key) ?? { campaignId, mailboxId, count: { stats: {}, steps: {} } };
    shares.set(key, share);
    if (figure) add(share.count.stats, figure);
    if (ofStep && match.send) {
      const steps = share.count.steps as Record<string, Sums>;
      add((steps[match.send.stepId.toHexString()] ??= {}), ofStep);
    }
  }
  return [...shares].toSorted(([one], [other]) => (one < other ? -1 : 1)).map(([, share]) => share);
}

/** What is counted of mailboxes, each mailbox's figures of one moment once. */
export function mailboxCounts(told: readonly LeadEvent[]): MailboxCount[] {
  const counts = new Map<string, MailboxCount>();
  for (const { match, happening } of told) {
    const { ofMailbox, at } = happening;
    const { mailboxId } = getAbout(match);
    if (!ofMailbox || !mailboxId) continue;
    const key = `${mailboxId} ${at.getTime()}`;
    const count = counts.get(key) ?? { mailboxId, figures: {}, at };
    counts.set(key, count);
    add(count.figures, ofMailbox);
  }
  return [...counts].toSorted(([one], [other]) => (one < other ? -1 : 1)).map(([, count]) => count);
}

function add(sums: Sums, name: string): void {
  sums[name] = (sums[name] ?? 0) + 1;
}
