/** Of the report and its charts. Charts have a background of their own, so that they can be read in a dark mail program, too. */
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

/** As charts are shown, in CSS pixels; pictures have twice as many, for sharp screens. */
export const CHART_WIDTH = 592;
const PIXEL_RATIO = 2;

/** As they are drawn: smaller, so that letters are large enough to be read on a telephone, too. */
export const DRAWN_WIDTH = 480;
export const DRAWN_SCALE = (CHART_WIDTH * PIXEL_RATIO) / DRAWN_WIDTH;

/** As a chart that is drawn so high is shown. */
export function getShownHeight(drawn: number): number {
  return Math.round((drawn * CHART_WIDTH) / DRAWN_WIDTH);
}

/** The family of the font file that charts are drawn with, whatever the machine has. */
export const CHART_FONT = 'DejaVu Sans';
