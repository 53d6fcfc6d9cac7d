import { type HealthBand, type MailboxState, type MailboxSummary } from '../figures/mailbox-summary';
import { formatAmount } from '../layout/numbers';
import { type Chart, type ChartOption } from './chart';
import { createBaseOption } from './chart-parts';
import { COLOURS, DRAWN_WIDTH } from './chart-theme';
import { measureText } from './text-width';

/** Height of a strip with its labels, and of both. */
const STRIP_HEIGHT = 52;
const HEIGHT = 108;
const FONT_SIZE = 12;
const LABELS_WIDTH = DRAWN_WIDTH - 40;

interface Part {
  readonly name: string;
  readonly colour: string;
  readonly count: number;
}

const STATES: readonly [MailboxState, string, string][] = [
  ['ready', 'ready', COLOURS.good],
  ['paused', 'paused', COLOURS.none],
  ['switched_off', 'off', '#94a3b8'],
  ['unreachable', 'unreachable', COLOURS.fair],
  ['stopped', 'stopped', '#ea580c'],
  ['disconnected', 'disconnected', COLOURS.poor],
];
const HEALTH: readonly [HealthBand, string, string][] = [
  ['good', 'in good health', COLOURS.good],
  ['fair', 'fair', COLOURS.fair],
  ['poor', 'poor', COLOURS.poor],
  ['unknown', 'not checked yet', COLOURS.none],
];

/** The states of mailboxes and the health of their domains as two strips; null without mailboxes. */
export function createMailboxChart({ total, states, health }: MailboxSummary): Chart | null {
  if (total === 0) return null;
  const rows = [toParts(STATES, states), toParts(HEALTH, health)];
  const option: ChartOption = {
    ...createBaseOption(),
    title: rows.map((parts, row) => ({
      left: 8,
      top: row * STRIP_HEIGHT + 6,
      text: parts.map(({ name, count }, index) => `{d${index}|■} {t|${formatAmount(count)} ${name}}`).join('   '),
      textStyle: { rich: toStyles(parts) },
    })),
    grid: rows.map((_parts, row) => ({ left: 12, right: 12, top: row * STRIP_HEIGHT + 28, height: 16 })),
    xAxis: rows.map((_parts, gridIndex) => ({ type: 'value' as const, gridIndex, max: total, show: false })),
    yAxis: rows.map((_parts, gridIndex) => ({ type: 'category' as const, gridIndex, data: [''], show: false })),
    series: rows.flatMap((parts, row) =>
      parts.map(({ name, colour, count }) => ({
        name,
        type: 'bar' as const,
        stack: `strip${row}`,
        xAxisIndex: row,
        yAxisIndex: row,
        barWidth: 16,
        data: [count],
        itemStyle: { color: colour, borderColor: COLOURS.paper, borderWidth: 1 },
        animation: false,
      })),
    ),
  };
  const texts = rows.map((parts) => parts.map(({ name, count }) => `${formatAmount(count)} ${name}`).join(', '));
  return {
    name: 'mailboxes',
    alt: `Of ${formatAmount(total)} mailboxes: ${texts.join('; ')}.`,
    height: HEIGHT,
    option,
  };
}

function toParts<K extends string>(
  kinds: readonly [K, string, string][],
  counts: Readonly<Record<K, number>>,
): readonly Part[] {
  return kinds.flatMap(([kind, name, colour]) => (counts[kind] > 0 ? [{ name, colour, count: counts[kind] }] : []));
}

/** Label squares have the colours of the strip; labels that do not fit are smaller. */
function toStyles(parts: readonly Part[]): Record<string, { color: string; fontSize: number }> {
  const text = parts.map(({ name, count }) => `m ${formatAmount(count)} ${name}   `).join('');
  const { width } = measureText(text, `${FONT_SIZE}px`);
  const fontSize = Math.min(FONT_SIZE, Math.floor((FONT_SIZE * LABELS_WIDTH * 10) / width) / 10);
  const squares = parts.map(({ colour }, index) => [`d${index}`, { color: colour, fontSize }] as const);
  return { ...Object.fromEntries(squares), t: { color: COLOURS.ink, fontSize } };
}
