import { type HealthBand, type MailboxState, type MailboxSummary } from '../figures/mailbox.summary';
import { amount } from '../layout/numbers';
import { type Chart, type ChartOption } from './chart';
import { base } from './chart.parts';
import { COLOURS } from './chart.theme';

const HEIGHT = 132;

interface Part {
  readonly name: string;
  readonly colour: string;
  readonly count: number;
}

const STATES: readonly [MailboxState, string, string][] = [
  ['ready', 'ready to send', COLOURS.good],
  ['paused', 'paused', COLOURS.none],
  ['switched_off', 'switched off', '#94a3b8'],
  ['unreachable', 'not reachable', COLOURS.fair],
  ['stopped', 'stopped', '#ea580c'],
  ['disconnected', 'disconnected', COLOURS.poor],
];
const HEALTH: readonly [HealthBand, string, string][] = [
  ['good', 'good DNS health', COLOURS.good],
  ['fair', 'fair', COLOURS.fair],
  ['poor', 'poor', COLOURS.poor],
  ['unknown', 'not checked yet', COLOURS.none],
];

/** How mailboxes stand as two strips, by whether they send and by the health of their domains; null without mailboxes. */
export function mailboxChart({ total, states, health }: MailboxSummary): Chart | null {
  if (total === 0) return null;
  const rows = [partsOf(STATES, states), partsOf(HEALTH, health)];
  const option: ChartOption = {
    ...base(),
    title: rows.map((parts, row) => ({
      left: 8,
      top: row * 64 + 6,
      text: parts.map(({ name, count }, index) => `{d${index}|■} {t|${amount(count)} ${name}}`).join('   '),
      textStyle: { rich: styles(parts) },
    })),
    grid: rows.map((_parts, row) => ({ left: 12, right: 12, top: row * 64 + 32, height: 18 })),
    xAxis: rows.map((_parts, gridIndex) => ({ type: 'value' as const, gridIndex, max: total, show: false })),
    yAxis: rows.map((_parts, gridIndex) => ({ type: 'category' as const, gridIndex, data: [''], show: false })),
    series: rows.flatMap((parts, row) =>
      parts.map(({ name, colour, count }) => ({
        name,
        type: 'bar' as const,
        stack: `strip${row}`,
        xAxisIndex: row,
        yAxisIndex: row,
        barWidth: 18,
        data: [count],
        itemStyle: { color: colour, borderColor: COLOURS.paper, borderWidth: 1 },
        animation: false,
      })),
    ),
  };
  const told = rows.map((parts) => parts.map(({ name, count }) => `${amount(count)} ${name}`).join(', '));
  return { name: 'mailboxes', alt: `Of ${amount(total)} mailboxes: ${told.join('; ')}.`, height: HEIGHT, option };
}

function partsOf<K extends string>(
  kinds: readonly [K, string, string][],
  counts: Readonly<Record<K, number>>,
): readonly Part[] {
  return kinds.flatMap(([kind, name, colour]) => (counts[kind] > 0 ? [{ name, colour, count: counts[kind] }] : []));
}

/** The small squares before the words have the colours of the strip. */
function styles(parts: readonly Part[]): Record<string, { color: string; fontSize: number }> {
  const squares = parts.map(({ colour }, index) => [`d${index}`, { color: colour, fontSize: 14 }] as const);
  return { ...Object.fromEntries(squares), t: { color: COLOURS.ink, fontSize: 12 } };
}
