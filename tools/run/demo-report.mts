import { setTimeout as pause } from 'node:timers/promises';
import type { api, Outreach } from '../../clients/typescript/src/index.ts';

type Campaign = Pick<api.CampaignResponse, 'name' | 'status' | 'leadCounts'> & {
  stats: Pick<api.CampaignStatsResponse, (typeof FIGURES)[number]>;
};
type Lead = Pick<api.LeadResponse, 'email' | 'status' | 'stopReason' | 'resumeAt'>;
type Conversation = Pick<api.ConversationResponse, 'email' | 'label' | 'preview'>;

const FIGURES = ['sent', 'opened', 'clicked', 'replied', 'bounced', 'unsubscribed'] as const;
const EVERY_MS = 2_000;
/** Rounds without a change after which the demo is over. */
const QUIET_LOOKS = 30;
const AT_MOST_MS = 5 * 60_000;

/** One line of counters. */
export function figuresLine({ stats, leadCounts }: Pick<Campaign, 'stats' | 'leadCounts'>): string {
  const figures = FIGURES.map((name) => `${name} ${stats[name]}`);
  return [...figures, `active ${leadCounts.active} of ${leadCounts.total}`].join(' · ');
}

/** Events and replies by lead. */
export function createReport(
  campaign: Campaign,
  leads: readonly Lead[],
  conversations: readonly Conversation[],
): string {
  const answers = new Map(conversations.map((one) => [one.email, one]));
  const lines = leads
    .toSorted((one, other) => one.email.localeCompare(other.email))
    .map((lead) =>
      `  ${getName(lead).padEnd(28)} ${describeState(lead).padEnd(34)} ${describeReply(answers.get(lead.email))}`.trimEnd(),
    );
  return [
    `Report of the campaign “${campaign.name}” (${campaign.status})`,
    `  ${figuresLine(campaign)}`,
    '',
    ...lines,
  ].join('\n');
}

function getName({ email }: Lead): string {
  return email.slice(0, email.lastIndexOf('@'));
}

function describeState({ status, stopReason, resumeAt }: Lead): string {
  const why = stopReason === null ? '' : `, ${stopReason}`;
  return `${status}${why}${resumeAt === null ? '' : ` until ${resumeAt.slice(0, 10)}`}`;
}

function describeReply(conversation: Conversation | undefined): string {
  if (!conversation) return '';
  return `${conversation.label ?? 'no label'}: “${conversation.preview.slice(0, 60)}”`;
}

interface Watching {
  outreach: Outreach;
  campaignId: string;
  signal: AbortSignal;
  write: (line: string) => void;
  /** Further facts, such as the number of webhook messages. */
  besides?: () => string;
  /** Replaced in tests. */
  everyMs?: number;
  quietLooks?: number;
}

/** Prints the counters as they change, from the public API only, and a report when nothing happens any more. */
export async function watchDemo({ outreach, campaignId, signal, write, besides, ...times }: Watching): Promise<void> {
  const { everyMs = EVERY_MS, quietLooks = QUIET_LOOKS } = times;
  const endsAt = Date.now() + AT_MOST_MS;
  let shown = '';
  let rounds = 0;
  while (!signal.aborted && Date.now() < endsAt && rounds < quietLooks) {
    const figures = figuresLine(await outreach.campaigns.get(campaignId));
    const line = besides ? `${figures} · ${besides()}` : figures;
    if (line !== shown) write(line);
    rounds = line === shown ? rounds + 1 : 0;
    shown = line;
    await pause(everyMs, undefined, { signal }).catch(() => undefined);
  }
  if (!signal.aborted) write(`\n${await report(outreach, campaignId)}\n`);
}

async function report(outreach: Outreach, campaignId: string): Promise<string> {
  const [campaign, leads, conversations] = await Promise.all([
    outreach.campaigns.get(campaignId),
    all(outreach.campaigns.leads.list(campaignId, { limit: 100 })),
    all(outreach.inbox.list({ campaignId, limit: 100 })),
  ]);
  return createReport(campaign, leads, conversations);
}

async function all<T>(list: AsyncIterable<T>): Promise<T[]> {
  const found: T[] = [];
  for await (const one of list) found.push(one);
  return found;
}
