import { systemScope } from '@domain/access';
import { WorkspacesService } from '@domain/identity';
import { Injectable } from '@nestjs/common';
import { Config } from '@platform/config';
import { AttentionService } from './attention/attention.service';
import { MailboxReviewerService } from './figures/mailbox-reviewer.service';
import { ReportFiguresService } from './figures/report-figures.service';
import { ReportRendererService } from './rendering/report-renderer.service';
import { type RenderedReport, type ReportPeriod, type ReportScope } from './report-shape';

/** What a report says: the figures of its days, by docs/metrics.md, and how things stand now. */
@Injectable()
export class ReportContentService {
  constructor(
    private readonly workspaces: WorkspacesService,
    private readonly figures: ReportFiguresService,
    private readonly mailboxes: MailboxReviewerService,
    private readonly attention: AttentionService,
    private readonly renderer: ReportRendererService,
    private readonly config: Config,
  ) {}

  /**
   * @param reader who is greeted
   * @param now when it is made; it is written at the end
   * @throws NOT_FOUND for a workspace that is gone, SERVICE_UNAVAILABLE while too many reports are being made
   */
  async render(scope: ReportScope, period: ReportPeriod, reader: { name: string }, now: Date): Promise<RenderedReport> {
    const { workspaceId, reportType } = scope;
    const { name: workspaceName } = await this.workspaces.get(systemScope(workspaceId));
    const subject = await this.figures.subject(scope);
    const { counted, ...figures } = await this.figures.count(subject, period);
    const asked = {
      workspaceId,
      days: period,
      mailboxIds: subject.mailboxIds,
      campaignIds: counted.map(({ id }) => id),
    };
    const { summary, troubles } = await this.mailboxes.reviewMailboxes(asked);
    const attention = await this.attention.read(subject, period, { mailboxes: troubles, counted });
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
}
