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

/** What people set of a recipient. */
export interface RecipientSettings {
  name: string;
  email: string;
  company: string;
  role: string;
  reportType: ReportType;
  /** Hexadecimal, each once. */
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

/** A recipient that is created, or changed from what it was. @throws VALIDATION_ERROR naming `campaignIds` */
export function toNewSettings(input: CreateReportRecipientRequest): RecipientSettings {
  const { name, email, company = '', role = '', reportType = 'workspace', campaignIds = [], active = true } = input;
  const schedule = { ...DEFAULT_SCHEDULE, ...omitUndefined(input.schedule) };
  const settings = { name, email, company, role, reportType, campaignIds: normaliseIds(campaignIds), active, schedule };
  requireFittingCampaigns(settings.reportType, settings.campaignIds);
  return settings;
}

/**
 * As `toNewSettings`, where what is left out stays as it is. A type that has no campaigns drops them. Who has lost their campaigns, as
 * these were deleted, can still be changed and switched off.
 */
export function toChangedSettings(before: RecipientSettings, input: UpdateReportRecipientRequest): RecipientSettings {
  const { schedule, campaignIds, ...fields } = input;
  const merged = { ...before, ...omitUndefined(fields), schedule: { ...before.schedule, ...omitUndefined(schedule) } };
  const dropsThem = merged.reportType === 'workspace' && campaignIds === undefined;
  const wanted = dropsThem ? [] : (campaignIds ?? before.campaignIds);
  const settings = { ...merged, campaignIds: normaliseIds(wanted) };
  if (input.reportType !== undefined || campaignIds !== undefined)
    requireFittingCampaigns(settings.reportType, settings.campaignIds);
  return settings;
}

/** What has become of the reports of a recipient so far, by the keys of their periods. */
export interface ReportProgress {
  /** The last one that was begun. */
  readonly begun: string | null;
  /** One that is due and that nobody has begun yet. */
  readonly owed: string | null;
}

/**
 * When the next report is due: null for who gets none by schedule. What a report has been about already is passed over: of two times of
 * day the later one begins no second report of the same days. One that is owed is due still where the schedule is about the same days.
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

/** @param due when the next one is due, as it is stored */
export function getProgress(
  schedule: StoredSchedule,
  begun: string | null,
  due: Date | null,
  now: Date,
): ReportProgress {
  const isOwed = due !== null && due <= now;
  return { begun, owed: isOwed ? getPeriodKey(getSlotUpTo(schedule, now).period) : null };
}

/** Whether a change moves the next report: all others leave it where it is. */
export function changesSchedule(before: RecipientSettings, after: RecipientSettings): boolean {
  return before.active !== after.active || !isDeepStrictEqual(before.schedule, after.schedule);
}

function isReported({ period }: ReportSlot, key: string | null): boolean {
  return getPeriodKey(period) === key;
}

/** @throws VALIDATION_ERROR naming `campaignIds` for campaigns where there may be none, none where there must be, or too many */
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

/** Each once, in the spelling in which ids are stored. */
function normaliseIds(ids: readonly string[]): string[] {
  return [...new Set(ids.map((id) => id.toLowerCase()))];
}

/** What was sent: a field that was left out does not take away what is there. */
function omitUndefined<T extends object>(input: T | undefined): Partial<T> {
  return Object.fromEntries(Object.entries(input ?? {}).filter(([, value]) => value !== undefined)) as Partial<T>;
}
