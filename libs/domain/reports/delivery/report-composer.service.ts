import { type ComposedMessage } from '@adapters/mail';
import { systemScope } from '@domain/access';
import { WorkspacesService } from '@domain/identity';
import { Injectable } from '@nestjs/common';
import { ClockPort } from '@platform/clock';
import { ReportContentService } from '../content/report-content.service';
import { ReportUnsubscribeService } from '../recipients/report-unsubscribe.service';
import { type ReportRecipientRecord } from '../schemas/report-recipient.record';
import { type ReportRecord } from '../schemas/report.record';
import { composeReport, getReportMessageId } from './report-message';
import { type ReportSender } from './report-sender.service';

/** Makes the mail of a report. */
@Injectable()
export class ReportComposerService {
  constructor(
    private readonly contents: ReportContentService,
    private readonly stops: ReportUnsubscribeService,
    private readonly workspaces: WorkspacesService,
    private readonly clock: ClockPort,
  ) {}

  /** The figures are those of now, for the days of the report. The operator's server writes in the name of the workspace. */
  async compose(
    report: ReportRecord,
    recipient: ReportRecipientRecord,
    sender: ReportSender,
  ): Promise<ComposedMessage> {
    const { name, email, reportType, campaignIds } = recipient;
    const workspaceId = report.workspaceId.toHexString();
    const scope = { workspaceId, reportType, campaignIds: campaignIds.map((id) => id.toHexString()) };
    const now = this.clock.now();
    const rendered = await this.contents.render(scope, report.period, { name }, now);
    const workspace = sender.kind === 'operator' ? await this.workspaces.get(systemScope(workspaceId)) : null;
    return composeReport(rendered, {
      from: workspace ? { ...sender.from, name: workspace.name } : sender.from,
      to: { name, address: email },
      messageId: getReportMessageId(report.recipientId.toHexString(), report.key, sender.from.address),
      date: now,
      stopUrl: this.stops.url(recipient),
    });
  }
}
