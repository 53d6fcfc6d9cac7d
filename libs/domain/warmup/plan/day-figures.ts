import { type WarmupFigure, type WarmupFigures } from '../schemas/warmup-day.record';

/** Figures of one day by name. */
export type DayFigures = WarmupFigures;

export function getSum(days: readonly DayFigures[], figure: WarmupFigure): number {
  return days.reduce((sum, day) => sum + day[figure], 0);
}

/** Returns a fraction from 0 to 1; 0 for an empty whole. */
export function getFraction(part: number, whole: number): number {
  return whole === 0 ? 0 : Math.min(1, part / whole);
}

/** Counts the mails with a known placement. */
export function countFound(days: readonly DayFigures[]): number {
  return getSum(days, 'inbox') + getSum(days, 'promotions') + getSum(days, 'spam');
}
