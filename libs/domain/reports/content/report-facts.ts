import { type DayFigures, type FiguresOfDay } from '@domain/analytics';
import { type AttentionList } from './attention/attention';
import { type CampaignRanking } from './figures/campaign-ranking';
import { type MailboxSummary } from './figures/mailbox-summary';
import { type ReportPeriod, type ReportType } from './report-shape';

/** All that a report says, as plain data: what is written and drawn is made of this and of nothing else. */
export interface ReportFacts {
  readonly workspaceName: string;
  readonly readerName: string;
  readonly reportType: ReportType;
  /** Of a report about campaigns: their names. */
  readonly about: readonly string[];
  readonly period: ReportPeriod;
  /** Of the period, by docs/users/analytics.md. */
  readonly figures: DayFigures;
  /** Of as many days before it. */
  readonly before: DayFigures;
  /** Day by day: those of the period, and some before a single one. */
  readonly days: readonly FiguresOfDay[];
  readonly campaigns: CampaignRanking;
  readonly mailboxes: MailboxSummary;
  readonly attention: AttentionList;
  /** When it was made, ISO 8601. */
  readonly madeAt: string;
  /** Where the platform is reached; the only address that a report links to. */
  readonly publicUrl: string;
}
