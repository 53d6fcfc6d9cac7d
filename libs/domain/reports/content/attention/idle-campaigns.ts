import { type ReviewedCampaign } from '@domain/campaigns';
import { daysBetween, startOfDay, getWeekday } from '@platform/time';
import { type ReportPeriod } from '../report-shape';

/** Whether a campaign should have sent in the period: it was active before the period and had a sending day in it. */
export function wasDue(
  { status, startedAt, sendingSchedule }: Pick<ReviewedCampaign, 'status' | 'startedAt' | 'sendingSchedule'>,
  { first, last, timezone }: ReportPeriod,
): boolean {
  if (status !== 'active' || startedAt === null || startedAt >= startOfDay(first, timezone)) return false;
  return daysBetween(first, last).some((day) => sendingSchedule.workingDays.includes(getWeekday(day)));
}
