import { type ReviewedCampaign } from '@domain/campaigns';
import { daysBetween, startOfDay, getWeekday } from '@platform/time';
import { type ReportPeriod } from '../report-shape';

/**
 * Whether a campaign should have sent something in the period: it has been active since before it, and had a day on which its
 * schedule lets it send.
 */
export function wasDue(
  { status, startedAt, sendingSchedule }: Pick<ReviewedCampaign, 'status' | 'startedAt' | 'sendingSchedule'>,
  { first, last, timezone }: ReportPeriod,
): boolean {
  if (status !== 'active' || startedAt === null || startedAt >= startOfDay(first, timezone)) return false;
  return daysBetween(first, last).some((day) => sendingSchedule.workingDays.includes(getWeekday(day)));
}
