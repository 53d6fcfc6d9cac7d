import { addFigures, createReportFigures } from '../figures/figure-sums';
import { rankCampaigns } from '../figures/campaign-ranking';
import { type ReportFacts } from '../report-facts';
import { figures, lines, week } from './figures';

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
  const total = campaigns.reduce((sum, one) => addFigures(sum, one.figures), createReportFigures());
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
    figures: createReportFigures(),
    before: createReportFigures(),
    days: days.map(({ day }) => ({ day, figures: createReportFigures() })),
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
