import { type BarSeriesOption, type LineSeriesOption } from 'echarts/charts';
import { type GridComponentOption, type LegendComponentOption, type TitleComponentOption } from 'echarts/components';
import { type ComposeOption } from 'echarts/core';

export type ChartOption = ComposeOption<
  BarSeriesOption | LineSeriesOption | GridComponentOption | LegendComponentOption | TitleComponentOption
>;

/** A chart before it is drawn. */
export interface Chart {
  /** Names its file and its content id. */
  readonly name: string;
  /** What is to be seen, with its figures. */
  readonly alt: string;
  /** As it is drawn (`DRAWN_WIDTH`). */
  readonly height: number;
  readonly option: ChartOption;
}
