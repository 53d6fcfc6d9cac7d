import { rankCampaigns } from '../figures/campaign-ranking';
import { type ReportFacts } from '../report-facts';
import { busyWeek } from './facts';
import { figures, lines, week } from './figures';

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
