/**
 * Colours of the report and its charts. Charts have their own background, so that they are readable in dark mail
 * programs.
 */
export const COLOURS = {
  paper: '#ffffff',
  ink: '#1f2937',
  quiet: '#6b7280',
  line: '#e5e7eb',
  sent: '#c7d2fe',
  opened: '#4f46e5',
  replied: '#0ea5e9',
  positive: '#16a34a',
  bounced: '#dc2626',
  good: '#16a34a',
  fair: '#f59e0b',
  poor: '#dc2626',
  none: '#cbd5e1',
} as const;

/** Width of shown charts in CSS pixels; pictures have twice as many pixels, for high-resolution screens. */
export const CHART_WIDTH = 592;
const PIXEL_RATIO = 2;

/** Drawing width: smaller than shown, so that text is readable on a phone. */
export const DRAWN_WIDTH = 480;
export const DRAWN_SCALE = (CHART_WIDTH * PIXEL_RATIO) / DRAWN_WIDTH;

/** Shown height of a chart with this drawn height. */
export function getShownHeight(drawn: number): number {
  return Math.round((drawn * CHART_WIDTH) / DRAWN_WIDTH);
}

/** Family of the font file of the charts, independent of the machine. */
export const CHART_FONT = 'DejaVu Sans';
