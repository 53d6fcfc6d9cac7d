import { formatAmount, formatAxisDay, formatShortAmount, formatShortDay } from '../layout/numbers';
import { toDrawableName, toShortName } from '../layout/report-wording';
import { type DayFigures, type FiguresOfDay } from '@domain/analytics';
import { type ReportFacts } from '../report-facts';
import { type Chart, type ChartOption } from './chart';
import { createBaseOption, createLegend, createValueAxis, WITH_LABELS } from './chart-parts';
import { COLOURS } from './chart-theme';

const DAYS_HEIGHT = 190;
const CAMPAIGN_HEIGHT = 22;
const AXIS_HEIGHT = 68;
const CAMPAIGN_NAME_LENGTH = 20;
/** Maximum days that the alternative text lists and that have a dot each: many dots make a large picture. */
const LISTED_DAYS = 14;

interface Series {
  readonly figure: keyof DayFigures;
  readonly name: string;
  readonly colour: string;
  readonly type: 'bar' | 'line';
}

const ACTIVITY: readonly Series[] = [
  { figure: 'sent', name: 'Emails sent', colour: COLOURS.sent, type: 'bar' },
  { figure: 'opened', name: 'Leads that opened', colour: COLOURS.opened, type: 'line' },
];
const ANSWERS: readonly Series[] = [
  { figure: 'replied', name: 'Replies', colour: COLOURS.replied, type: 'bar' },
  { figure: 'positiveReplied', name: 'Positive replies', colour: COLOURS.positive, type: 'bar' },
  { figure: 'bounced', name: 'Bounces', colour: COLOURS.bounced, type: 'line' },
];

/**
 * Charts of sending and of responses by day. Responses need their own chart: beside sent emails they would be
 * invisible.
 */
export function createDayCharts(days: readonly FiguresOfDay[]): Chart[] {
  return [createDayChart('activity', days, ACTIVITY), createDayChart('answers', days, ANSWERS)];
}

/** Replies by campaign, best first; null without any reply. */
export function createCampaignChart({ campaigns }: Pick<ReportFacts, 'campaigns'>): Chart | null {
  const answered = campaigns.shown.filter(({ figures }) => figures.replied > 0 || figures.positiveReplied > 0);
  if (answered.length === 0) return null;
  const positive = answered.map(({ figures }) => figures.positiveReplied);
  const other = answered.map(({ figures }) => Math.max(0, figures.replied - figures.positiveReplied));
  const bar = { type: 'bar' as const, stack: 'replies', barMaxWidth: 12, animation: false };
  const places = new Map(campaigns.shown.map(({ id }, index) => [id, index + 1]));
  const option: ChartOption = {
    ...createBaseOption(),
    legend: createLegend(['Positive replies', 'Other replies']),
    grid: { left: 8, right: 24, top: 36, bottom: 8, ...WITH_LABELS },
    xAxis: createValueAxis(),
    yAxis: {
      type: 'category',
      inverse: true,
      // A name in a script without glyphs in the font is identified by its row number in the table.
      data: answered.map(({ id, name }) =>
        `${toDrawableName(name, CAMPAIGN_NAME_LENGTH)}  #${places.get(id) ?? 0}`.trim(),
      ),
      axisTick: { show: false },
      axisLine: { show: false },
      axisLabel: { color: COLOURS.ink, fontSize: 11 },
    },
    series: [
      { ...bar, name: 'Positive replies', data: positive, itemStyle: { color: COLOURS.positive } },
      { ...bar, name: 'Other replies', data: other, itemStyle: { color: COLOURS.replied } },
    ],
  };
  const texts = answered.map(
    ({ name, figures }) =>
      `${toShortName(name)} ${formatAmount(figures.positiveReplied)} of ${formatAmount(figures.replied)}`,
  );
  return {
    name: 'campaigns',
    alt: `Positive replies of all replies by campaign: ${texts.join('; ')}.`,
    height: AXIS_HEIGHT + CAMPAIGN_HEIGHT * answered.length,
    option,
  };
}

function createDayChart(name: string, days: readonly FiguresOfDay[], drawn: readonly Series[]): Chart {
  const option: ChartOption = {
    ...createBaseOption(),
    legend: createLegend(drawn.map((one) => one.name)),
    grid: { left: 8, right: 16, top: 40, bottom: 8, ...WITH_LABELS },
    xAxis: {
      type: 'category',
      data: days.map(({ day }) => formatAxisDay(day)),
      axisTick: { show: false },
      axisLine: { lineStyle: { color: COLOURS.line } },
      axisLabel: { color: COLOURS.quiet, fontSize: 11, hideOverlap: true },
    },
    yAxis: createValueAxis(),
    series: drawn.map(({ figure, name: label, colour, type }) => {
      const data = days.map(({ figures }) => figures[figure]);
      const common = { name: label, data, animation: false, itemStyle: { color: colour } };
      return type === 'bar'
        ? { ...common, type, barMaxWidth: 18, itemStyle: { color: colour, borderRadius: [3, 3, 0, 0] } }
        : {
            ...common,
            type,
            symbolSize: 6,
            showSymbol: days.length <= LISTED_DAYS,
            lineStyle: { color: colour, width: 2.5 },
          };
    }),
  };
  return { name, alt: drawn.map((one) => describeByDay(days, one)).join(' '), height: DAYS_HEIGHT, option };
}

/** `Emails sent: 340; Mon, 2 Nov 34, …`; for many days only the best one. */
function describeByDay(days: readonly FiguresOfDay[], { figure, name }: Series): string {
  const values = days.map(({ day, figures }) => ({ day, value: figures[figure] }));
  const total = values.reduce((sum, { value }) => sum + value, 0);
  const head = `${name}: ${formatAmount(total)}`;
  const [best] = values.toSorted((one, other) => other.value - one.value);
  if (total === 0 || !best) return `${head}.`;
  if (values.length > LISTED_DAYS) return `${head}, most on ${formatShortDay(best.day)} (${formatAmount(best.value)}).`;
  return `${head} (${values.map(({ day, value }) => `${formatAxisDay(day)} ${formatShortAmount(value)}`).join(', ')}).`;
}
