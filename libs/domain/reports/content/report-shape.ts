export const REPORT_TYPES = ['workspace', 'campaign'] as const;
export type ReportType = (typeof REPORT_TYPES)[number];

export const REPORT_FREQUENCIES = ['daily', 'weekly', 'monthly'] as const;
export type ReportFrequency = (typeof REPORT_FREQUENCIES)[number];

/** The subject of a report. */
export interface ReportScope {
  readonly workspaceId: string;
  readonly reportType: ReportType;
  /** Campaigns of a campaign report; deleted ones are left out. */
  readonly campaignIds: readonly string[];
}

/** The whole days of a report. */
export interface ReportPeriod {
  readonly frequency: ReportFrequency;
  /** YYYY-MM-DD */
  readonly first: string;
  /** YYYY-MM-DD, included */
  readonly last: string;
  /** IANA zone of the days. */
  readonly timezone: string;
}

/** A picture that the HTML references as `cid:<cid>`. */
export interface ReportImage {
  readonly cid: string;
  readonly filename: string;
  /** Twice the shown width and height. */
  readonly png: Buffer;
  /** Alternative text. */
  readonly alt: string;
  /** Shown size in CSS pixels. */
  readonly width: number;
  readonly height: number;
}

/** A report ready to be sent. */
export interface RenderedReport {
  readonly subject: string;
  readonly html: string;
  /** All content of the HTML as plain text. */
  readonly text: string;
  readonly images: readonly ReportImage[];
}
