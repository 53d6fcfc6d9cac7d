import { formatShortAmount } from '../layout/numbers';
import { CHART_FONT, COLOURS } from './chart-theme';

/** Grid bounds include the axis labels. */
export const WITH_LABELS = { outerBoundsMode: 'same', outerBoundsContain: 'axisLabel' } as const;

/** Options of all charts. */
export function createBaseOption() {
  return { backgroundColor: COLOURS.paper, animation: false, textStyle: { fontFamily: CHART_FONT } } as const;
}

export function createLegend(data: string[]) {
  return {
    data,
    left: 8,
    top: 4,
    icon: 'roundRect',
    itemWidth: 12,
    itemHeight: 8,
    itemGap: 16,
    textStyle: { color: COLOURS.ink, fontSize: 12, fontFamily: CHART_FONT },
  };
}

/** Whole numbers from 0. */
export function createValueAxis() {
  return {
    type: 'value' as const,
    minInterval: 1,
    splitNumber: 4,
    splitLine: { lineStyle: { color: COLOURS.line } },
    axisLabel: { color: COLOURS.quiet, fontSize: 11, formatter: (value: number) => formatShortAmount(value) },
  };
}
