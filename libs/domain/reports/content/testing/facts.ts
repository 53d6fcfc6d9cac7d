import { type DayFigures } from '@domain/analytics';
import { addDays, daysBetween } from '@platform/time';
import { addFigures, createFigures } from '../figures/figure-sums';
import { rankCampaigns } from '../figures/campaign-ranking';
import { type MailboxLine } from '../figures/mailbox-summary';
import { type ReportFacts } from '../report-facts';

/** A typical week with all kinds of content. */
export function busyWeek(changes: Partial<ReportFacts> = {}): ReportFacts {
  const names = ['Autumn outreach DACH', 'Founders, Series A', 'Partners UK', 'Win-back 2025', 'Webinar follow-up'];
  const campaigns = names.map((name, index) => ({
    id: `c${index}`,
    name,
    figures: figures({
      sent: 420 - index * 71,
      contacted: 260 - index * 40,
      opened: 120 - index * 22,
      clicked: 31 - index * 6,
      replied: 24 - index * 5,
      positiveReplied: Math.max(0, 11 - index * 3),
      bounced: 2 + index,
      unsubscribed: 1,
    }),
  }));
  const total = campaigns.reduce((sum, one) => addFigures(sum, one.figures), createFigures());
  return {
    workspaceName: 'Acme Growth',
    readerName: 'Ada Lovelace',
    reportType: 'workspace',
    about: [],
    period: { frequency: 'weekly', first: '2026-11-09', last: '2026-11-15', timezone: 'Europe/Berlin' },
    figures: total,
    before: figures({ sent: 1_102, contacted: 640, opened: 301, clicked: 70, replied: 58, positiveReplied: 17, bounced: 31, unsubscribed: 9, complained: 1 }),
    days: week('2026-11-09', 7),
    campaigns: rankCampaigns(campaigns),
    mailboxes: {
      total: 24,
      states: { disconnected: 1, stopped: 1, unreachable: 0, switched_off: 1, paused: 2, ready: 19 },
      health: { good: 17, fair: 4, poor: 1, unknown: 2 },
      inWarmup: 6,
      dailyLimit: 870,
      shown: lines(),
    },
    attention: {
      items: [
        { severity: 'critical', sentence: 'Campaign “Win-back 2025” was paused for too many bounces: 9 of 140 emails of the last 28 days came back.' },
        { severity: 'critical', sentence: '1 mailbox is disconnected: grace@acme-mail.com.' },
        { severity: 'warning', sentence: '3 positive replies wait to be read.' },
        { severity: 'warning', sentence: '1 domain fails its DNS checks: acme-mail.com (DKIM, DMARC).' },
        { severity: 'info', sentence: '1 active campaign sent nothing: “Partners UK”.' },
      ],
      more: 2,
    },
    madeAt: '2026-11-16T07:00:00.000Z',
    publicUrl: 'https://outreach.acme.example',
    ...changes,
  };
} // prettier-ignore

/** A workspace without activity. */
export function quietWeek(changes: Partial<ReportFacts> = {}): ReportFacts {
  const { days, mailboxes } = busyWeek();
  return busyWeek({
    figures: createFigures(),
    before: createFigures(),
    days: days.map(({ day }) => ({ day, figures: createFigures() })),
    campaigns: rankCampaigns([]),
    mailboxes: {
      ...mailboxes,
      total: 0,
      states: { disconnected: 0, stopped: 0, unreachable: 0, switched_off: 0, paused: 0, ready: 0 },
      health: { good: 0, fair: 0, poor: 0, unknown: 0 },
      inWarmup: 0,
      dailyLimit: 0,
      shown: [],
    },
    attention: { items: [], more: 0 },
    ...changes,
  });
}

/** Names that try to escape, reverse or displace their context. */
export const HOSTILE_NAMES = [
  '<script>alert(1)</script><img src=x onerror=alert(2)>',
  '"><style>*{display:none}</style>',
  'حملة الخريف \u202etxt.exe',
  '秋のキャンペーン 🍁🍂👩‍👩‍👧‍👦',
  `${'Very long name '.repeat(20)}end`,
  'null\0 and\r\nBcc: everybody@example.com',
  '</mj-text></mj-column><mj-raw>&lt;b&gt;</mj-raw> {{firstName}} ]]> -->',
  `z${'\u0301'.repeat(400)}`,
] as const;

/** All user text is hostile and of maximum size. */
export function hostileWeek(): ReportFacts {
  const nameOf = (index: number): string => HOSTILE_NAMES[index % HOSTILE_NAMES.length] ?? '';
  const campaigns = Array.from({ length: 40 }, (_, index) => ({
    id: `c${String(index).padStart(2, '0')}`,
    name: nameOf(index),
    figures: figures({ sent: 1_234_567, contacted: 999_999, opened: 88_888, replied: 7_777, positiveReplied: 5_000 - index }),
  }));
  const { mailboxes } = busyWeek();
  return busyWeek({
    workspaceName: nameOf(0),
    readerName: nameOf(5),
    reportType: 'campaign',
    about: HOSTILE_NAMES,
    period: { frequency: 'monthly', first: '2026-10-01', last: '2026-10-31', timezone: 'Asia/Kathmandu' },
    days: week('2026-10-01', 31),
    campaigns: rankCampaigns(campaigns),
    mailboxes: { ...mailboxes, shown: lines().map((line, index) => ({ ...line, email: `${'x'.repeat(64)}${index}@${'y'.repeat(180)}.test` })) },
    attention: {
      items: Array.from({ length: 12 }, (_, index) => ({ severity: 'critical' as const, sentence: `Campaign “${nameOf(index)}” cannot go on: ${nameOf(index + 1)}.` })),
      more: 1_234,
    },
  });
} // prettier-ignore

function figures(some: Partial<DayFigures>): DayFigures {
  return { ...createFigures(), ...some };
}

function week(first: string, count: number) {
  return daysBetween(first, addDays(first, count - 1)).map((day, index) => {
    const busy = index % 7 < 5 ? 1 : 0;
    const wave = Math.round(40 * Math.sin(index * 1.3));
    return {
      day,
      figures: figures({
        sent: busy * (260 + wave * 2),
        contacted: busy * (150 + wave),
        opened: busy * (70 + wave) + 12,
        clicked: busy * 14 + 2,
        replied: busy * (9 + Math.round(wave / 8)) + 1,
        positiveReplied: busy * (4 + Math.round(wave / 12)),
        bounced: busy * (index % 3),
        unsubscribed: index % 2,
      }),
    };
  });
}

function lines(): MailboxLine[] {
  const states = ['disconnected', 'stopped', 'ready', 'ready', 'ready', 'paused', 'ready', 'ready'] as const;
  return states.map((state, index) => ({
    email: `${['grace', 'alan', 'ada', 'linus', 'barbara', 'edsger', 'donald', 'margaret'][index]}@acme-mail.com`,
    state,
    healthScore: index === 4 ? null : 100 - index * 9,
    warmup: index % 3 === 0 ? 'in_progress' : 'completed',
    dailyLimit: 40 + index,
    sent: 210 - index * 23,
    replied: 12 - index,
    bounced: index % 3,
  }));
}
