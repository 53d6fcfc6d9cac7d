import { DnsModule } from '@adapters/dns';
import { describeOutboundMailSource, type MailState, NOON, SendingFixture } from '../../sending/testing';
import { ReportContentService } from '../content/report-content.service';
import { ReportRecipientsService } from '../recipients/report-recipients.service';
import { ReportsModule } from '../reports.module';
import { ReportRecord } from '../schemas/report.record';
import { ReportSettingsService } from '../settings/report-settings.service';
import { ReportDeliveryService } from './report-delivery.service';
import { ReportScheduleService } from './report-schedule.service';

const DAY_MS = 86_400_000;
const STATES: Partial<Record<ReportRecord['state'], MailState>> = { planned: 'due', unknown: 'ambiguous' };

describeOutboundMailSource(
  'a report from a mailbox',
  async () => {
    const engine = await SendingFixture.open([DnsModule, ReportsModule]);
    const rendered = { subject: 'Your week', html: '<p>Report</p>', text: 'Report', images: [] };
    jest.spyOn(engine.get(ReportContentService), 'render').mockResolvedValue(rendered);
    const report = () =>
      engine
        .model<ReportRecord>(ReportRecord)
        .findOne({ workspaceId: engine.workspaceId })
        .orFail()
        .lean<ReportRecord>();
    return {
      engine,
      begin: async () => {
        await engine.fresh();
        const mailboxId = await engine.mailbox();
        await engine.get(ReportSettingsService).set(engine.workspace, { mailboxId });
        const recipient = { name: 'Ada', email: 'ada@example.com' };
        await engine.get(ReportRecipientsService).create(engine.workspace, recipient);
        // The Monday after.
        engine.clock.freeze(new Date(NOON.getTime() + 5 * DAY_MS));
        await engine.get(ReportScheduleService).run(new AbortController().signal);
        return mailboxId;
      },
      run: async () => {
        const { _id, workspaceId, dueAt } = await report();
        if (dueAt && dueAt > engine.clock.now()) engine.clock.freeze(dueAt);
        const payload = { workspaceId: workspaceId.toHexString(), reportId: _id.toHexString() };
        await engine.get(ReportDeliveryService).run(payload, new AbortController().signal);
      },
      state: async () => {
        const { state } = await report();
        return STATES[state] ?? (state as MailState);
      },
      close: () => engine.close(),
    };
  },
  { isLeased: false, isRepeated: true },
);
