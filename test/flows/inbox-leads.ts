import { rounds } from '@testing';

type Figure =
  | 'opened'
  | 'clicked'
  | 'replied'
  | 'positiveReplied'
  | 'bounced'
  | 'unsubscribed'
  | 'autoReplied'
  | 'complained';

/** A lead of the campaign, and its expected final state. */
export interface LeadCase {
  /** Local part of the address; it selects the sandbox’s behaviour at prospects.test (tools/mail-sandbox/README.md). */
  name: string;
  domain: 'people.test' | 'prospects.test';
  /** Number of the campaign’s emails that the server accepts for the lead. */
  emails: number;
  status: string;
  stopReason: string;
  /** Figures of the lead besides emails, and their step (from 1) if steps count them. */
  counts?: Partial<Record<Figure, 1>>;
  step?: number;
  machines?: { opened: 1; clicked: 1 };
  label?: string;
  /** Messages of the conversation besides the campaign’s emails. */
  said?: string[];
  suppressed?: 'bounce' | 'complaint' | 'unsubscribe';
}
const FINISHED = { emails: 3, status: 'completed', stopReason: 'finished' } as const;
const ANSWERED = { emails: 1, status: 'completed', stopReason: 'replied', said: ['reply'] };
const BOUNCED = {
  status: 'bounced',
  stopReason: 'bounced_hard',
  counts: { bounced: 1 },
  step: 1,
  suppressed: 'bounce',
} as const;
const OPTED_OUT = { emails: 1, status: 'completed', stopReason: 'unsubscribed', suppressed: 'unsubscribe' } as const;
const POSITIVE = { replied: 1, positiveReplied: 1 } as const;
export const LEAD_CASES: readonly LeadCase[] = [
  { name: 'opens', domain: 'people.test', ...FINISHED, counts: { opened: 1 }, step: 1 },
  { name: 'clicks', domain: 'people.test', ...FINISHED, counts: { opened: 1, clicked: 1 }, step: 1 },
  { name: 'scans', domain: 'people.test', ...FINISHED, machines: { opened: 1, clicked: 1 } },
  {
    name: 'reply-positive-gmail',
    domain: 'prospects.test',
    ...ANSWERED,
    counts: POSITIVE,
    label: 'positive',
    said: ['manual', 'reply'],
  },
  { name: 'reply-negative-outlook', domain: 'prospects.test', ...ANSWERED, counts: { replied: 1 }, label: 'negative' },
  { name: 'reply-neutral-outlook', domain: 'prospects.test', ...ANSWERED, counts: { replied: 1 }, label: 'neutral' },
  { name: 'german', domain: 'people.test', ...ANSWERED, counts: POSITIVE, label: 'positive' },
  { name: 'french', domain: 'people.test', ...ANSWERED, counts: { replied: 1 }, label: 'negative' },
  { name: 'alias', domain: 'people.test', ...ANSWERED, counts: { replied: 1 }, label: 'neutral' },
  {
    name: 'spanish',
    domain: 'people.test',
    ...OPTED_OUT,
    counts: { replied: 1, unsubscribed: 1 },
    label: 'unsubscribe_request',
    said: ['reply'],
  },
  {
    name: 'reply-unsubscribe-apple',
    domain: 'prospects.test',
    ...OPTED_OUT,
    counts: { replied: 1, unsubscribed: 1 },
    label: 'unsubscribe_request',
    said: ['reply'],
  },
  { name: 'late', domain: 'people.test', ...ANSWERED, emails: 2, counts: POSITIVE, label: 'positive' },
  {
    name: 'ooo-de',
    domain: 'prospects.test',
    ...FINISHED,
    counts: { autoReplied: 1 },
    label: 'out_of_office',
    said: ['auto_reply'],
  },
  { name: 'delayed-gmail', domain: 'prospects.test', ...FINISHED },
  // The mailbox is full: each of its emails bounces within a minute of real time, which counts as one.
  { name: 'bounce-exchange-full', domain: 'prospects.test', ...FINISHED },
  // Enough leads that two bounces are within the limit (docs/users/mailboxes.md).
  ...Array.from({ length: rounds(85, 10) }, (_, at): LeadCase => ({
    name: `silent${at}`,
    domain: 'people.test',
    ...FINISHED,
  })),
  {
    name: 'bounce-postfix-unknown',
    domain: 'prospects.test',
    ...BOUNCED,
    emails: 1,
  },
  { name: 'rcpt-550', domain: 'prospects.test', ...BOUNCED, emails: 0 },
  {
    name: 'complain',
    domain: 'prospects.test',
    emails: 1,
    status: 'completed',
    stopReason: 'complained',
    counts: { complained: 1 },
    suppressed: 'complaint',
  },
  { name: 'page', domain: 'people.test', ...OPTED_OUT, counts: { unsubscribed: 1 } },
  { name: 'one-click', domain: 'people.test', ...OPTED_OUT, counts: { unsubscribed: 1 } },
];

export function sumOf(count: (part: LeadCase) => number): number {
  return LEAD_CASES.reduce((sum, part) => sum + count(part), 0);
}
