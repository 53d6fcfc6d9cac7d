import {
  EmailField,
  FlagField,
  IdsField,
  IntegerField,
  NameField,
  ObjectField,
  OneOfField,
  TextField,
  TimeOfDayField,
  TimeZoneField,
} from '@platform/validation';
import { REPORT_FREQUENCIES, REPORT_TYPES, type ReportFrequency, type ReportType } from '../content/report-shape';

/** Maximum campaigns of one recipient. */
export const MAX_CAMPAIGNS = 50;
const MAX_TEXT = 200;

const EMAIL = 'Where the reports go to; an address is one recipient of a workspace.';
const TYPE = 'workspace: all that happened; campaign: what happened in the campaigns of `campaignIds`.';
const CAMPAIGNS = `Campaigns of the workspace, 1 to ${MAX_CAMPAIGNS} for the type campaign, none for workspace.`;
const ACTIVE = 'false: nothing is sent, by schedule or by hand.';
const ENABLED = 'Whether reports are sent by schedule.';
const FREQUENCY = 'daily: about the day before; weekly: about the seven days before; monthly: about the month before.';
const WEEKDAY =
  '1 (Monday) to 7 (Sunday). weekly: each such day; monthly: the first such day of each month; daily: ignored.';
const TIME =
  'By the clocks of `timezone`. A time that they skip comes when they are changed, one that comes twice the first time.';

/** Omitted fields get defaults on creation and stay unchanged later. */
export class ReportScheduleRequest {
  @FlagField({ optional: true, about: `${ENABLED} Default: true.` })
  enabled?: boolean;

  @OneOfField(REPORT_FREQUENCIES, { optional: true, about: `${FREQUENCY} Default: weekly.` })
  frequency?: ReportFrequency;

  @IntegerField({ min: 1, max: 7, optional: true, about: `${WEEKDAY} Default: 1.` })
  dayOfWeek?: number;

  @TimeOfDayField({ optional: true, about: `${TIME} Default: 08:00.` })
  timeOfDay?: string;

  @TimeZoneField({ optional: true, about: 'Default: UTC.' })
  timezone?: string;
}

export class CreateReportRecipientRequest {
  @NameField({ about: 'Name of the person.' })
  name!: string;

  @EmailField({ about: EMAIL })
  email!: string;

  @TextField({ min: 0, max: MAX_TEXT, optional: true, about: 'Default: empty.' })
  company?: string;

  @TextField({ min: 0, max: MAX_TEXT, optional: true, about: 'Job title. Default: empty.' })
  role?: string;

  @OneOfField(REPORT_TYPES, { optional: true, about: `${TYPE} Default: workspace.` })
  reportType?: ReportType;

  @IdsField({ max: MAX_CAMPAIGNS, of: 'campaign', optional: true, about: `${CAMPAIGNS} Default: none.` })
  campaignIds?: string[];

  @FlagField({ optional: true, about: `${ACTIVE} Default: true.` })
  active?: boolean;

  @ObjectField(() => ReportScheduleRequest, { optional: true, about: 'Default: each Monday at 08:00 UTC.' })
  schedule?: ReportScheduleRequest;
}

/** Omitted fields stay unchanged. */
export class UpdateReportRecipientRequest {
  @NameField({ optional: true })
  name?: string;

  @EmailField({ optional: true, about: `${EMAIL} Planned reports to the previous address are not sent.` })
  email?: string;

  @TextField({ min: 0, max: MAX_TEXT, optional: true })
  company?: string;

  @TextField({ min: 0, max: MAX_TEXT, optional: true, about: 'Job title.' })
  role?: string;

  @OneOfField(REPORT_TYPES, { optional: true, about: TYPE })
  reportType?: ReportType;

  @IdsField({ max: MAX_CAMPAIGNS, of: 'campaign', optional: true, about: `${CAMPAIGNS} Replaces the list.` })
  campaignIds?: string[];

  @FlagField({ optional: true, about: ACTIVE })
  active?: boolean;

  @ObjectField(() => ReportScheduleRequest, { optional: true })
  schedule?: ReportScheduleRequest;
}
