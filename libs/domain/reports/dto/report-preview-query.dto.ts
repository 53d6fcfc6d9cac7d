import { OneOfField, TextField, TimeZoneField } from '@platform/validation';
import { REPORT_FREQUENCIES, REPORT_TYPES, type ReportFrequency, type ReportType } from '../content/report-shape';

const PREVIEW_FORMATS = ['html', 'text'] as const;
type PreviewFormat = (typeof PREVIEW_FORMATS)[number];

/** Fifty ids with commas and some blanks. */
const MAX_IDS = 2_000;

/** The report to preview; the rules are those of a recipient. */
export class ReportPreviewQuery {
  @OneOfField(REPORT_TYPES, { optional: true, about: 'Default: workspace.' })
  reportType?: ReportType;

  @TextField({
    max: MAX_IDS,
    optional: true,
    about: 'Ids of campaigns, comma-separated: 1 to 50 for the type campaign, none for workspace.',
  })
  campaignIds?: string;

  @OneOfField(REPORT_FREQUENCIES, {
    optional: true,
    about: 'The day, the seven days or the month before today. Default: weekly.',
  })
  frequency?: ReportFrequency;

  @TimeZoneField({ optional: true, about: 'Zone of the days. Default: UTC.' })
  timezone?: string;

  @OneOfField(PREVIEW_FORMATS, { optional: true, about: 'Default: html.' })
  format?: PreviewFormat;
}
