import { systemScope } from '@domain/access';
import { WorkspacesService } from '@domain/workspaces';
import { Injectable } from '@nestjs/common';
import { Config } from '@platform/config';
import { AttentionReader } from './attention/attention.reader.service';
import { MailboxReviewer } from './figures/mailbox.reviewer.service';
import { ReportFigures } from './figures/report.figures.service';
import { ReportPress } from './press/report.press.service';
import { type RenderedReport, type ReportPeriod, type ReportScope } from './report.shape';

/** What a report says: the figures of its days, by docs/users/analytics.md, and how things stand now. */
@Injectable()
export class ReportContents {
  constructor(
    private readonly workspaces: WorkspacesService,
    private readonly figures: ReportFigures,
    private readonly mailboxes: MailboxReviewer,
    private readonly attention: AttentionReader,
    private readonly press: ReportPress,
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
    const { summary, troubles } = await this.mailboxes.review(asked);
    const attention = await this.attention.read(subject, period, { mailboxes: troubles, counted });
    return this.press.print({
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
