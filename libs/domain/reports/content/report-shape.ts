export const REPORT_TYPES = ['workspace', 'campaign'] as const;
export type ReportType = (typeof REPORT_TYPES)[number];

export const REPORT_FREQUENCIES = ['daily', 'weekly', 'monthly'] as const;
export type ReportFrequency = (typeof REPORT_FREQUENCIES)[number];

/** What a report is about. */
export interface ReportScope {
  readonly workspaceId: string;
  readonly reportType: ReportType;
  /** Of a report about campaigns; those that are gone are left out of it. */
  readonly campaignIds: readonly string[];
}

/** The whole days that a report is about. */
export interface ReportPeriod {
  readonly frequency: ReportFrequency;
  /** YYYY-MM-DD */
  readonly first: string;
  /** YYYY-MM-DD, included */
  readonly last: string;
  /** IANA name of the zone whose days they are. */
  readonly timezone: string;
}

/** A picture that the HTML names as `cid:<cid>`. */
export interface ReportImage {
  readonly cid: string;
  readonly filename: string;
  /** Twice as wide and high as it is shown. */
  readonly png: Buffer;
  /** Tells what is to be seen. */
  readonly alt: string;
  /** As it is shown, in CSS pixels. */
  readonly width: number;
  readonly height: number;
}

/** A report as it is mailed. */
export interface RenderedReport {
  readonly subject: string;
  readonly html: string;
  /** All that the HTML says, as plain text. */
  readonly text: string;
  readonly images: readonly ReportImage[];
}
