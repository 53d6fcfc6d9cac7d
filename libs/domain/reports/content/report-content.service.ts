import { type WorkspaceScope, systemScope } from '@domain/access';
import { CampaignRepository } from '@domain/campaigns';
import { WorkspacesService } from '@domain/identity';
import { Injectable } from '@nestjs/common';
import { ClockPort } from '@platform/clock';
import { Config } from '@platform/config';
import { type ReportPreviewQuery } from '../dto/report-preview-query.dto';
import { inlineImages } from '../preview/inline-images';
import { requireCampaigns } from '../recipients/recipient-campaigns';
import { requireFittingCampaigns } from '../recipients/recipient-settings';
import { getPeriodBefore } from '../schedule/report-schedule';
import { ReportFiguresService } from './figures/report-figures.service';
import { ReportRendererService } from './rendering/report-renderer.service';
import { type RenderedReport, type ReportPeriod, type ReportScope } from './report-shape';

/** An HTML page or a text. */
export interface PreviewFile {
  readonly content: Buffer;
  readonly contentType: string;
}

/** A preview greets no particular person. */
const READER = { name: 'there' };

/** Renders reports: the figures of their days (docs/users/analytics.md) and the current state of mailboxes and campaigns. */
@Injectable()
export class ReportContentService {
  constructor(
    private readonly workspaces: WorkspacesService,
    private readonly campaigns: CampaignRepository,
    private readonly figures: ReportFiguresService,
    private readonly renderer: ReportRendererService,
    private readonly config: Config,
    private readonly clock: ClockPort,
  ) {}

  /**
   * Renders the report of a period.
   * @param reader the person greeted in it
   * @param now the time shown at the end of the report
   * @throws NOT_FOUND for a deleted workspace, SERVICE_UNAVAILABLE while too many reports are being rendered
   */
  async render(scope: ReportScope, period: ReportPeriod, reader: { name: string }, now: Date): Promise<RenderedReport> {
    const { workspaceId, reportType } = scope;
    const { name: workspaceName } = await this.workspaces.get(systemScope(workspaceId));
    const subject = await this.figures.subject(scope);
    const { counted, ...figures } = await this.figures.count(subject, period);
    const mailboxScope = {
      workspaceId,
      days: period,
      mailboxIds: subject.mailboxIds,
      campaignIds: counted.map(({ id }) => id),
    };
    const { summary, troubles } = await this.figures.reviewMailboxes(mailboxScope);
    const attention = await this.figures.readAttention(subject, period, { mailboxes: troubles, counted });
    return this.renderer.render({
      ...figures,
      workspaceName,
      readerName: reader.name,
      reportType,
      about: subject.names,
      period,
      mailboxes: summary,
      attention,
      madeAt: now.toISOString(),
      publicUrl: this.config.publicUrl,
    });
  }

  /**
   * Renders a report as it would be sent now. The HTML embeds its pictures and loads nothing.
   * @throws VALIDATION_ERROR for campaigns that do not fit the type or are not the workspace's, SERVICE_UNAVAILABLE
   */
  async preview(workspace: WorkspaceScope, query: ReportPreviewQuery): Promise<PreviewFile> {
    const { frequency = 'weekly', timezone = 'UTC', format = 'html' } = query;
    const scope = await this.#toScope(workspace, query);
    const now = this.clock.now();
    const report = await this.render(scope, getPeriodBefore(now, frequency, timezone), READER, now);
    return format === 'text'
      ? { content: Buffer.from(report.text), contentType: 'text/plain; charset=utf-8' }
      : { content: Buffer.from(inlineImages(report)), contentType: 'text/html; charset=utf-8' };
  }

  async #toScope(workspace: WorkspaceScope, query: ReportPreviewQuery): Promise<ReportScope> {
    const { reportType = 'workspace', campaignIds = '' } = query;
    const requested = [...new Set(campaignIds.split(',').map((id) => id.trim().toLowerCase()))].filter(
      (id) => id !== '',
    );
    requireFittingCampaigns(reportType, requested);
    const ids = await requireCampaigns(this.campaigns, workspace, requested);
    return { workspaceId: workspace.workspaceId, reportType, campaignIds: ids.map((id) => id.toHexString()) };
  }
}
