import { type DayFigures, type FiguresOfDay } from '@domain/analytics';
import { type AttentionList } from './attention/attention';
import { type CampaignRanking } from './figures/campaign-ranking';
import { type MailboxSummary } from './figures/mailbox-summary';
import { type ReportPeriod, type ReportType } from './report-shape';

/** The complete content of a report as plain data: text and charts are made of nothing else. */
export interface ReportFacts {
  readonly workspaceName: string;
  readonly readerName: string;
  readonly reportType: ReportType;
  /** Names of the campaigns of a campaign report. */
  readonly about: readonly string[];
  readonly period: ReportPeriod;
  /** Figures of the period (docs/users/analytics.md). */
  readonly figures: DayFigures;
  /** Figures of the period of comparison. */
  readonly before: DayFigures;
  /** Figures by day of the period; a single day has some days before it. */
  readonly days: readonly FiguresOfDay[];
  readonly campaigns: CampaignRanking;
  readonly mailboxes: MailboxSummary;
  readonly attention: AttentionList;
  /** Time of rendering, ISO 8601. */
  readonly madeAt: string;
  /** Public address of the platform, the only link of a report. */
  readonly publicUrl: string;
}
