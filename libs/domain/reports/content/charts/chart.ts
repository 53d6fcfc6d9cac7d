import { type BarSeriesOption, type LineSeriesOption } from 'echarts/charts';
import { type GridComponentOption, type LegendComponentOption, type TitleComponentOption } from 'echarts/components';
import { type ComposeOption } from 'echarts/core';

export type ChartOption = ComposeOption<
  BarSeriesOption | LineSeriesOption | GridComponentOption | LegendComponentOption | TitleComponentOption
>;

/** A chart before rendering. */
export interface Chart {
  /** Base of its file name and content id. */
  readonly name: string;
  /** Description with the figures. */
  readonly alt: string;
  /** Drawn height (`DRAWN_WIDTH`). */
  readonly height: number;
  readonly option: ChartOption;
}
