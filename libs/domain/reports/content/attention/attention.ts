import { type MailboxTroubles, type Named } from '../figures/mailbox-summary';

/** `critical`: something does not work until a person acts; `warning`: it will get worse; `info`: worth knowing. */
const SEVERITIES = ['critical', 'warning', 'info'] as const;
export type Severity = (typeof SEVERITIES)[number];

/** Something that needs a person. */
export interface AttentionItem {
  readonly severity: Severity;
  /** One sentence, with its full stop. */
  readonly sentence: string;
}

/** Attention items, most urgent first. */
export interface AttentionList {
  readonly items: readonly AttentionItem[];
  /** Number of further items. */
  readonly more: number;
}

/** Maximum items of a report. */
export const MAX_ITEMS = 12;

/** A campaign that the platform has paused, and the reason. */
export interface StoppedCampaign {
  readonly name: string;
  readonly isForBounces: boolean;
  /** One sentence. */
  readonly reason: string;
}

/** Facts at the time of the report; 0 or null without any. */
export interface AttentionFacts {
  readonly mailboxes: MailboxTroubles;
  readonly stoppedCampaigns: readonly StoppedCampaign[];
  /** Stopped campaigns that are not listed. */
  readonly furtherStopped: number;
  /** Campaigns that were active in the whole period and sent nothing. */
  readonly idleCampaigns: Named;
  /** Unread positive replies. */
  readonly waitingReplies: { readonly count: number; readonly isMore: boolean };
  readonly disabledWebhooks: Named;
  readonly credits: { readonly balance: number; readonly spent: number } | null;
  /** Items of other domains (`ATTENTION_SOURCES`). */
  readonly others: readonly AttentionItem[];
}

/** Returns the attention items of the facts. */
export function listAttention(facts: AttentionFacts): AttentionList {
  const all = [
    ...listCampaignItems(facts),
    ...listMailboxItems(facts.mailboxes),
    ...facts.others,
    ...listWorkspaceItems(facts),
  ];
  const sorted = all.toSorted((one, other) => SEVERITIES.indexOf(one.severity) - SEVERITIES.indexOf(other.severity));
  const items = sorted.slice(0, MAX_ITEMS);
  return { items, more: sorted.length - items.length + facts.furtherStopped };
}

function listCampaignItems({ stoppedCampaigns, idleCampaigns, waitingReplies }: AttentionFacts): AttentionItem[] {
  const items = stoppedCampaigns.map(({ name, isForBounces, reason }): AttentionItem => {
    const what = isForBounces ? 'was paused for too many bounces' : 'cannot go on';
    return { severity: 'critical', sentence: `Campaign “${name}” ${what}: ${toSentence(reason)}` };
  });
  const { count, isMore } = waitingReplies;
  if (count > 0) {
    const wait = count === 1 ? '1 positive reply waits' : `${isMore ? 'At least ' : ''}${count} positive replies wait`;
    items.push({ severity: 'warning', sentence: `${wait} to be read.` });
  }
  if (idleCampaigns.count > 0) {
    const are = idleCampaigns.count === 1 ? '1 active campaign' : `${idleCampaigns.count} active campaigns`;
    const names = { ...idleCampaigns, examples: idleCampaigns.examples.map((name) => `“${name}”`) };
    items.push({ severity: 'info', sentence: `${are} sent nothing: ${joinNames(names)}.` });
  }
  return items;
}

/** Sentences for one mailbox and for several. */
const MAILBOX_SENTENCES: readonly [keyof MailboxTroubles, Severity, one: string, several: string][] = [
  ['disconnected', 'critical', 'mailbox is disconnected', 'mailboxes are disconnected'],
  [
    'stopped',
    'critical',
    'mailbox was stopped until a person resumes it',
    'mailboxes were stopped until a person resumes them',
  ],
  ['blacklisted', 'critical', 'mailbox is on a blacklist', 'mailboxes are on a blacklist'],
  ['failingDomains', 'warning', 'domain fails its DNS checks', 'domains fail their DNS checks'],
  ['unreachable', 'warning', 'mailbox cannot be reached at the moment', 'mailboxes cannot be reached at the moment'],
  ['warmupSuspended', 'warning', 'warmup was suspended', 'warmups were suspended'],
];

function listMailboxItems(troubles: MailboxTroubles): AttentionItem[] {
  return MAILBOX_SENTENCES.flatMap(([trouble, severity, one, several]) => {
    const named = troubles[trouble];
    if (named.count === 0) return [];
    return [{ severity, sentence: `${named.count} ${named.count === 1 ? one : several}: ${joinNames(named)}.` }];
  });
}

function listWorkspaceItems({ disabledWebhooks, credits }: AttentionFacts): AttentionItem[] {
  const items: AttentionItem[] = [];
  if (disabledWebhooks.count > 0) {
    const { count } = disabledWebhooks;
    const were =
      count === 1 ? '1 webhook was switched off because its' : `${count} webhooks were switched off because their`;
    items.push({ severity: 'warning', sentence: `${were} deliveries failed: ${joinNames(disabledWebhooks)}.` });
  }
  // The balance would not last for another such period.
  if (credits && credits.spent > 0 && credits.balance < credits.spent) {
    const left = credits.balance === 1 ? '1 credit is' : `${credits.balance || 'No'} credits are`;
    items.push({ severity: 'warning', sentence: `${left} left; ${credits.spent} were used in this period.` });
  }
  return items;
}

/** `a, b, c and 4 more` */
function joinNames({ count, examples }: Named): string {
  const further = count - examples.length;
  return further > 0 ? `${examples.join(', ')} and ${further} more` : examples.join(', ');
}

function toSentence(reason: string): string {
  const text = reason.trim();
  return /[.!?]$/.test(text) ? text : `${text}.`;
}
