import { setTimeout as pause } from 'node:timers/promises';
import type { Call } from './demo.campaign.mts';

type Figure = 'sent' | 'opened' | 'clicked' | 'replied' | 'bounced' | 'unsubscribed';

interface Campaign {
  name: string;
  status: string;
  stats: Record<Figure, number>;
  leadCounts: { total: number; active: number };
}

interface Lead {
  email: string;
  status: string;
  stopReason: string | null;
  resumeAt: string | null;
}

interface Conversation {
  email: string;
  label: string | null;
  preview: string;
}

const FIGURES: readonly Figure[] = ['sent', 'opened', 'clicked', 'replied', 'bounced', 'unsubscribed'];
const EVERY_MS = 2_000;
/** Nothing was new so many times: everybody who wants to has reacted. */
const QUIET_LOOKS = 30;
const AT_MOST_MS = 5 * 60_000;

/** One line of counters. */
export function figuresLine({ stats, leadCounts }: Pick<Campaign, 'stats' | 'leadCounts'>): string {
  const figures = FIGURES.map((name) => `${name} ${stats[name]}`);
  return [...figures, `active ${leadCounts.active} of ${leadCounts.total}`].join(' · ');
}

/** What happened, lead by lead, and what was answered. */
export function reportOf(campaign: Campaign, leads: readonly Lead[], conversations: readonly Conversation[]): string {
  const answers = new Map(conversations.map((one) => [one.email, one]));
  const lines = leads
    .toSorted((one, other) => one.email.localeCompare(other.email))
    .map((lead) =>
      `  ${nameOf(lead).padEnd(28)} ${stateOf(lead).padEnd(34)} ${answerOf(answers.get(lead.email))}`.trimEnd(),
    );
  return [
    `Report of the campaign “${campaign.name}” (${campaign.status})`,
    `  ${figuresLine(campaign)}`,
    '',
    ...lines,
  ].join('\n');
}

function nameOf({ email }: Lead): string {
  return email.slice(0, email.lastIndexOf('@'));
}

function stateOf({ status, stopReason, resumeAt }: Lead): string {
  const why = stopReason === null || stopReason === status ? '' : `, ${stopReason}`;
  return `${status}${why}${resumeAt === null ? '' : ` until ${resumeAt.slice(0, 10)}`}`;
}

function answerOf(conversation: Conversation | undefined): string {
  if (!conversation) return '';
  return `${conversation.label ?? 'no label'}: “${conversation.preview.slice(0, 60)}”`;
}

interface Watching {
  call: Call;
  campaignId: string;
  signal: AbortSignal;
  write: (line: string) => void;
  /** What is known besides, such as how much the webhook was told. */
  besides?: () => string;
  /** Test seams. */
  everyMs?: number;
  quietLooks?: number;
}

/** Shows the counters as they change, all of it read from the public API, and reports when nothing happens any more. */
export async function watchDemo({ call, campaignId, signal, write, besides, ...times }: Watching): Promise<void> {
  const { everyMs = EVERY_MS, quietLooks = QUIET_LOOKS } = times;
  const endsAt = Date.now() + AT_MOST_MS;
  let shown = '';
  let looks = 0;
  while (!signal.aborted && Date.now() < endsAt && looks < quietLooks) {
    const figures = figuresLine(await call<Campaign>('GET', `/campaigns/${campaignId}`));
    const line = besides ? `${figures} · ${besides()}` : figures;
    if (line !== shown) write(line);
    looks = line === shown ? looks + 1 : 0;
    shown = line;
    await pause(everyMs, undefined, { signal }).catch(() => undefined);
  }
  if (!signal.aborted) write(`\n${await report(call, campaignId)}\n`);
}

async function report(call: Call, campaignId: string): Promise<string> {
  const [campaign, leads, conversations] = await Promise.all([
    call<Campaign>('GET', `/campaigns/${campaignId}`),
    call<Lead[]>('GET', `/campaigns/${campaignId}/leads?limit=100`),
    call<Conversation[]>('GET', `/inbox?campaignId=${campaignId}&limit=100`),
  ]);
  return reportOf(campaign, leads, conversations);
}
