import { type DayFigures } from '@domain/analytics';

const NONE: DayFigures = {
  contacted: 0,
  sent: 0,
  opened: 0,
  clicked: 0,
  replied: 0,
  positiveReplied: 0,
  bounced: 0,
  unsubscribed: 0,
  autoReplied: 0,
  complained: 0,
};

export function createReportFigures(): DayFigures {
  return { ...NONE };
}

export function addFigures(one: DayFigures, other: DayFigures): DayFigures {
  const sum = createReportFigures();
  for (const figure of Object.keys(sum) as (keyof DayFigures)[]) sum[figure] = one[figure] + other[figure];
  return sum;
}

/** 0 to 1; above 1 when replies belong to leads contacted earlier; 0 when the divisor is 0. */
export function getRatio(part: number, whole: number): number {
  return whole === 0 ? 0 : part / whole;
}
