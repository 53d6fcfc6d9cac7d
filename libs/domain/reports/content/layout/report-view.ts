import { type AttentionItem } from '../attention/attention';
import { getRatio } from '../figures/figure-sums';
import { type MailboxLine, type MailboxState } from '../figures/mailbox-summary';
import { type ReportFacts } from '../report-facts';
import { type ReportFrequency } from '../report-shape';
import {
  formatAmount,
  type Change,
  getChange,
  formatSubjectDays,
  formatDays,
  formatMoment,
  formatRate,
  formatShortAmount,
} from './numbers';
import { toPlainLine, toShortName } from './report-wording';

/** Maximum characters of an attention sentence, and of an address. */
const SENTENCE_LENGTH = 240;
const ADDRESS_LENGTH = 44;
/** Campaigns that a campaign report names. */
const NAMED_CAMPAIGNS = 3;

/** A figure with its change. */
export interface Tile {
  readonly label: string;
  readonly value: string;
  /** The rate and its base; '' where it has no meaning. */
  readonly rate: string;
  readonly change: Change;
}

export interface Row {
  /** Prefix of the name, such as the rank `1. `; '' without one. */
  readonly mark: string;
  readonly name: string;
  /** Note below the name; '' without one. */
  readonly note: string;
  /** One number per column; empty to show only the name. */
  readonly cells: readonly string[];
}

/** Named rows of numbers. */
export interface Table {
  readonly title: string;
  readonly columns: readonly {
    readonly title: string;
    /** Whether narrow screens hide the column. */
    readonly isExtra: boolean;
  }[];
  readonly rows: readonly Row[];
}

/** The content of a report in words and numbers, from which both HTML and text are made. */
export interface ReportView {
  readonly title: string;
  readonly subject: string;
  /** Preview text beside the subject in mail programs. */
  readonly preheader: string;
  readonly greeting: string;
  readonly about: string;
  readonly days: string;
  readonly timezone: string;
  readonly headline: Tile & { readonly sentence: string };
  /** Whether there was no activity at all. */
  readonly isEmpty: boolean;
  readonly tiles: readonly Tile[];
  readonly attention: readonly AttentionItem[];
  /** '' without more items. */
  readonly moreAttention: string;
  readonly campaigns: Table;
  readonly mailboxes: Table;
  /** '' without mailboxes. */
  readonly mailboxSentence: string;
  readonly byDay: Table;
  readonly footer: readonly string[];
  readonly publicUrl: string;
}

const TITLES: Record<ReportFrequency, string> = {
  daily: 'Daily report',
  weekly: 'Weekly report',
  monthly: 'Monthly report',
};
const BEFORE: Record<ReportFrequency, string> = {
  daily: 'the day before',
  weekly: 'the week before',
  monthly: 'the month before',
};
const STATES: Record<MailboxState, string> = {
  disconnected: 'disconnected',
  stopped: 'stopped',
  unreachable: 'not reachable',
  switched_off: 'switched off',
  paused: 'paused',
  ready: 'ready',
};
/** Warmup states that are mentioned. */
const WARMUPS: Readonly<Record<string, string>> = {
  in_progress: 'warming up',
  paused: 'warmup paused',
  suspended: 'warmup suspended',
};

export function toView(facts: ReportFacts): ReportView {
  const { period, figures, before, attention, readerName, publicUrl } = facts;
  const workspace = toShortName(facts.workspaceName);
  const positive = formatCount(figures.positiveReplied, 'positive reply', 'positive replies');
  const change = getChange(figures.positiveReplied, before.positiveReplied, 'up');
  const title = TITLES[period.frequency];
  const by = change.by === '' ? '' : ` (${change.by})`;
  const days = formatDays(period);
  return {
    title,
    subject: `${workspace}: ${positive}${by}, ${formatSubjectDays(period)}`,
    preheader: toPreheader(facts),
    greeting: `Hello ${toShortName(readerName)},`,
    about: facts.reportType === 'workspace' ? workspace : `${workspace} · ${joinNames(facts.about)}`,
    days,
    timezone: period.timezone,
    headline: {
      label: figures.positiveReplied === 1 ? 'positive reply' : 'positive replies',
      value: formatAmount(figures.positiveReplied),
      rate: formatRate(figures.positiveReplied, figures.contacted),
      change,
      sentence: toHeadlineSentence(facts),
    },
    isEmpty: Object.values(figures).every((value) => value === 0),
    tiles: toTiles(facts),
    attention: attention.items.map(({ severity, sentence }) => ({
      severity,
      sentence: toPlainLine(sentence, SENTENCE_LENGTH),
    })),
    moreAttention: attention.more > 0 ? `And ${formatAmount(attention.more)} more.` : '',
    campaigns: toCampaignTable(facts),
    mailboxes: toMailboxTable(facts),
    mailboxSentence: toMailboxSentence(facts),
    byDay: toDayTable(facts),
    footer: toFooterLines(facts),
    publicUrl,
  };
}

function toHeadlineSentence({ figures, before, period }: ReportFacts): string {
  const { positiveReplied, contacted, replied } = figures;
  if (contacted === 0 && replied === 0) return 'No lead was contacted for the first time, and no lead replied.';
  const rate = formatRate(positiveReplied, contacted);
  const earlier = formatRate(before.positiveReplied, before.contacted);
  const now = `${formatCount(contacted, 'lead was', 'leads were')} contacted, ${formatAmount(replied)} replied, ${formatAmount(positiveReplied)} positively`;
  if (contacted === 0) return `${now}.`;
  return `${now}: ${rate} of those contacted${before.contacted === 0 ? '' : `, after ${earlier} ${BEFORE[period.frequency]}`}.`;
}

function toPreheader({ figures, attention }: ReportFacts): string {
  const urgent = attention.items.filter(({ severity }) => severity === 'critical').length;
  const needs = urgent > 0 ? ` ${formatCount(urgent, 'thing needs', 'things need')} you now.` : '';
  return `${formatAmount(figures.sent)} sent, ${formatAmount(figures.replied)} replied, ${formatAmount(figures.bounced)} bounced.${needs}`;
}

function toTiles({ figures: now, before }: ReportFacts): Tile[] {
  const tile = (
    label: string,
    figure: keyof typeof now,
    isGoodWhen: 'up' | 'down' | null,
    of?: 'contacted' | 'sent',
  ): Tile => ({
    label,
    value: formatAmount(now[figure]),
    rate: of && now[of] > 0 ? `${formatRate(now[figure], now[of])} of ${of}` : '',
    change: getChange(now[figure], before[figure], isGoodWhen),
  });
  return [
    tile('Emails sent', 'sent', null),
    tile('Leads contacted', 'contacted', null),
    tile('Opened', 'opened', 'up', 'contacted'),
    tile('Clicked', 'clicked', 'up', 'contacted'),
    tile('Replied', 'replied', 'up', 'contacted'),
    tile('Bounced', 'bounced', 'down', 'sent'),
    tile('Unsubscribed', 'unsubscribed', 'down', 'contacted'),
    tile('Complaints', 'complained', 'down', 'sent'),
  ];
}

function toCampaignTable({ campaigns: { shown, remaining } }: ReportFacts): Table {
  const named = shown.map(({ name, figures }, index) => ({ mark: `${index + 1}. `, name: toShortName(name), figures }));
  const others = remaining
    ? [{ mark: '', name: formatCount(remaining.count, 'other', 'others'), figures: remaining.figures }]
    : [];
  return {
    title: 'Campaign',
    columns: toColumns('Sent', '*Contacted', 'Replied', 'Positive', 'Rate'),
    rows: [...named, ...others].map(({ mark, name, figures: { sent, contacted, replied, positiveReplied } }) => ({
      mark,
      name,
      note: '',
      cells: [
        ...[sent, contacted, replied, positiveReplied].map(formatShortAmount),
        formatRate(positiveReplied, contacted),
      ],
    })),
  };
}

function toMailboxTable({ mailboxes: { shown, total } }: ReportFacts): Table {
  const further = total - shown.length;
  const others = { mark: '', name: formatCount(further, 'other', 'others'), note: '', cells: [] };
  return {
    title: 'Mailbox',
    columns: toColumns('Health', 'Sent', 'Replied', '*Bounced'),
    rows: [...shown.map(toMailboxRow), ...(further > 0 ? [others] : [])],
  };
}

function toMailboxRow({ email, state, healthScore, warmup, sent, replied, bounced }: MailboxLine): Row {
  const warming = WARMUPS[warmup];
  return {
    mark: '',
    name: toPlainLine(email, ADDRESS_LENGTH),
    note: warming === undefined ? STATES[state] : `${STATES[state]}, ${warming}`,
    cells: [healthScore === null ? '–' : formatAmount(healthScore), ...[sent, replied, bounced].map(formatShortAmount)],
  };
}

function toMailboxSentence({ mailboxes: { total, states, inWarmup, dailyLimit } }: ReportFacts): string {
  if (total === 0) return '';
  const ready = `${formatAmount(states.ready)} of ${formatCount(total, 'mailbox', 'mailboxes')} can send, ${formatAmount(dailyLimit)} emails a day at most`;
  return `${ready}; ${formatAmount(inWarmup)} in warmup.`;
}

function toDayTable({ days }: ReportFacts): Table {
  return {
    title: 'Day',
    columns: toColumns('Sent', 'Opened', 'Replied', 'Positive', 'Bounced'),
    rows: days.map(({ day, figures: { sent, opened, replied, positiveReplied, bounced } }) => ({
      mark: '',
      name: formatDays({ first: day, last: day }),
      note: '',
      cells: [sent, opened, replied, positiveReplied, bounced].map(formatAmount),
    })),
  };
}

/** A star marks columns that narrow screens hide. */
function toColumns(...titles: string[]): Table['columns'] {
  return titles.map((title) => ({ title: title.replace('*', ''), isExtra: title.startsWith('*') }));
}

function toFooterLines({ madeAt, period, figures }: ReportFacts): string[] {
  return [
    `Days are those of ${period.timezone}; changes are to ${BEFORE[period.frequency]}. Made ${formatMoment(new Date(madeAt), period.timezone)}.`,
    ...(getRatio(figures.replied, figures.contacted) > 1
      ? ['Leads contacted earlier may reply now, so a rate can exceed 100%.']
      : []),
    'Opens and clicks exclude machines as far as they can be detected; blocked images reduce the number of opens.',
  ];
}

/** `A, B, C and 4 more` */
function joinNames(names: readonly string[]): string {
  const shown = names.slice(0, NAMED_CAMPAIGNS).map(toShortName).join(', ');
  const further = names.length - NAMED_CAMPAIGNS;
  if (names.length === 0) return 'deleted campaigns';
  return further > 0 ? `${shown} and ${formatAmount(further)} more` : shown;
}

function formatCount(count: number, one: string, several: string): string {
  return `${formatAmount(count)} ${count === 1 ? one : several}`;
}
