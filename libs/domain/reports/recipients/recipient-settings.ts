import { isDeepStrictEqual } from 'node:util';
import { invalidField } from '@platform/errors';
import { type ReportType } from '../content/report-shape';
import {
  type CreateReportRecipientRequest,
  MAX_CAMPAIGNS,
  type UpdateReportRecipientRequest,
} from '../dto/report-recipient-requests.dto';
import { getPeriodKey, type ReportSlot, getSlotAfter, getSlotUpTo } from '../schedule/report-schedule';
import { type StoredSchedule } from '../schemas/report-recipient.record';

/** The settings of a recipient. */
export interface RecipientSettings {
  name: string;
  email: string;
  company: string;
  role: string;
  reportType: ReportType;
  /** Hexadecimal, distinct. */
  campaignIds: string[];
  active: boolean;
  schedule: StoredSchedule;
}

const DEFAULT_SCHEDULE: StoredSchedule = {
  enabled: true,
  frequency: 'weekly',
  dayOfWeek: 1,
  timeOfDay: '08:00',
  timezone: 'UTC',
};

/** Settings of a new recipient. @throws VALIDATION_ERROR naming `campaignIds` */
export function toNewSettings(input: CreateReportRecipientRequest): RecipientSettings {
  const { name, email, company = '', role = '', reportType = 'workspace', campaignIds = [], active = true } = input;
  const schedule = { ...DEFAULT_SCHEDULE, ...omitUndefined(input.schedule) };
  const settings = { name, email, company, role, reportType, campaignIds: normaliseIds(campaignIds), active, schedule };
  requireFittingCampaigns(settings.reportType, settings.campaignIds);
  return settings;
}

/**
 * Applies changes; omitted fields stay unchanged. A type without campaigns drops them. A recipient whose campaigns
 * were all deleted can still be changed and deactivated.
 */
export function toChangedSettings(before: RecipientSettings, input: UpdateReportRecipientRequest): RecipientSettings {
  const { schedule, campaignIds, ...fields } = input;
  const merged = { ...before, ...omitUndefined(fields), schedule: { ...before.schedule, ...omitUndefined(schedule) } };
  const dropsThem = merged.reportType === 'workspace' && campaignIds === undefined;
  const requested = dropsThem ? [] : (campaignIds ?? before.campaignIds);
  const settings = { ...merged, campaignIds: normaliseIds(requested) };
  if (input.reportType !== undefined || campaignIds !== undefined)
    requireFittingCampaigns(settings.reportType, settings.campaignIds);
  return settings;
}

/** The report progress of a recipient, by period keys. */
export interface ReportProgress {
  /** The last period with a report. */
  readonly begun: string | null;
  /** The period that is due and has no report yet. */
  readonly owed: string | null;
}

/**
 * Returns when the next report is due; null without a schedule. A period that was reported is skipped: after a change
 * to a later time of day the same days get no second report. A report that is owed stays due while the schedule
 * covers the same days.
 */
export function getNextReportAt(
  { active, schedule }: Pick<RecipientSettings, 'active' | 'schedule'>,
  { begun, owed }: ReportProgress,
  now: Date,
): Date | null {
  if (!active || !schedule.enabled) return null;
  const due = getSlotUpTo(schedule, now);
  if (owed !== null && isReported(due, owed)) return due.at;
  const next = getSlotAfter(schedule, now);
  return (isReported(next, begun) ? getSlotAfter(schedule, next.at) : next).at;
}

/** @param due the stored time of the next report */
export function getReportProgress(
  schedule: StoredSchedule,
  begun: string | null,
  due: Date | null,
  now: Date,
): ReportProgress {
  const isOwed = due !== null && due <= now;
  return { begun, owed: isOwed ? getPeriodKey(getSlotUpTo(schedule, now).period) : null };
}

/** Whether a change affects the time of the next report. */
export function changesSchedule(before: RecipientSettings, after: RecipientSettings): boolean {
  return before.active !== after.active || !isDeepStrictEqual(before.schedule, after.schedule);
}

function isReported({ period }: ReportSlot, key: string | null): boolean {
  return getPeriodKey(period) === key;
}

/** @throws VALIDATION_ERROR naming `campaignIds` when the type allows none, needs some, or there are too many */
export function requireFittingCampaigns(reportType: ReportType, campaignIds: readonly string[]): void {
  if (reportType === 'workspace' && campaignIds.length > 0) {
    throw invalidField('campaignIds', 'campaignIds must be empty for a report on the workspace');
  }
  if (reportType === 'campaign' && (campaignIds.length === 0 || campaignIds.length > MAX_CAMPAIGNS)) {
    throw invalidField(
      'campaignIds',
      `campaignIds must name 1 to ${MAX_CAMPAIGNS} campaigns for a report on campaigns`,
    );
  }
}

/** Distinct ids in their stored spelling. */
function normaliseIds(ids: readonly string[]): string[] {
  return [...new Set(ids.map((id) => id.toLowerCase()))];
}

/** Removes undefined fields, which must not overwrite stored ones. */
function omitUndefined<T extends object>(input: T | undefined): Partial<T> {
  return Object.fromEntries(Object.entries(input ?? {}).filter(([, value]) => value !== undefined)) as Partial<T>;
}
