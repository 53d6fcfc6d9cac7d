import { DnsModule } from '@adapters/dns';
import { MailSessionPool, SmtpRelayClient } from '@adapters/mail';
import { type WorkspaceScope, systemActor, systemScope } from '@domain/access';
import { CampaignsService } from '@domain/campaigns';
import { MailboxCreationService, type MailboxResponse } from '@domain/mailboxes';
import { UsersModule, UsersService, WorkspacesService } from '@domain/identity';
import { getModelToken } from '@nestjs/mongoose';
import { OutboundModule } from '@platform/outbound';
import { QueuesModule, QueuesService } from '@platform/queues';
import { type FakeClock, type TestDatabase, openTestDatabase } from '@testing';
import { type Model } from 'mongoose';
import { ReportContentService } from '../content/report-content.service';
import { ReportDeliveryService } from '../delivery/report-delivery.service';
import { ReportScheduleService } from '../delivery/report-schedule.service';
import { type CreateReportRecipientRequest } from '../dto/report-recipient-requests.dto';
import { ReportRecipientsService } from '../recipients/report-recipients.service';
import { ReportsModule } from '../reports.module';
import { ReportRecipientRecord } from '../schemas/report-recipient.record';
import { ReportRecord } from '../schemas/report.record';
import { ReportingDriver } from './reporting.driver';
import { mailModule } from './scripted-mail';

const forever = new AbortController().signal;
/** 2026-11-23 is a Monday. */
export const SUNDAY = new Date('2026-11-22T12:00:00Z');
export const MONDAY = new Date('2026-11-23T08:00:00Z');
export const MINUTE_MS = 60_000;
export const DAY_MS = 86_400_000;

/** Reports on their own database, with scripted servers and short content. */
export class ReportsFixture {
  readonly clock: FakeClock;
  readonly recipients: Model<ReportRecipientRecord>;
  readonly reports: Model<ReportRecord>;
  #serial = 0;

  private constructor(
    readonly database: TestDatabase,
    readonly driver: ReportingDriver,
  ) {
    this.clock = database.clock;
    this.recipients = this.model(ReportRecipientRecord);
    this.reports = this.model(ReportRecord);
    jest
      .spyOn(this.get(ReportContentService), 'render')
      .mockImplementation((_scope, { first, last }, { name }) =>
        Promise.resolve({ subject: `${first} to ${last}`, html: '<p>Report</p>', text: `For ${name}`, images: [] }),
      );
  }

  /** @param operator whether the operator has a server for reports */
  static async open({ operator = false } = {}): Promise<ReportsFixture> {
    const driver = new ReportingDriver();
    const relay = operator
      ? driver.relay()
      : new SmtpRelayClient({ url: '', from: '', ehloName: 'test', allowPlaintext: false });
    const imports = [
      QueuesModule,
      OutboundModule,
      DnsModule,
      mailModule(new MailSessionPool([driver]), relay),
      UsersModule,
      ReportsModule,
    ];
    return new ReportsFixture(await openTestDatabase({ imports }), driver);
  }

  get<T>(service: abstract new (...args: never[]) => T): T {
    return this.database.module.get<T>(service, { strict: false });
  }

  model<T>(record: { name: string }): Model<T> {
    return this.database.module.get<Model<T>>(getModelToken(record.name), { strict: false });
  }

  async close(): Promise<void> {
    await this.get(QueuesService).obliterate();
    await this.database.close();
  }

  async workspace(): Promise<WorkspaceScope> {
    this.#serial += 1;
    const owner = { email: `owner-${this.#serial}@example.com`, name: 'Owner' };
    const user = await this.get(UsersService).create(owner);
    const { id } = await this.get(WorkspacesService).createFor(user.id, { name: 'Acme' }, systemActor('operator'));
    return { ...systemScope(id), actor: { kind: 'user', userId: user.id, keyId: null } };
  }

  /** By default on Mondays at 08:00 UTC. */
  async recipient(workspace: WorkspaceScope, input: Partial<CreateReportRecipientRequest> = {}): Promise<string> {
    this.#serial += 1;
    const request = { name: 'Ada', email: `ada-${this.#serial}@example.com`, ...input };
    return (await this.get(ReportRecipientsService).create(workspace, request))._id;
  }

  async campaign(workspace: WorkspaceScope): Promise<string> {
    this.#serial += 1;
    return (await this.get(CampaignsService).create(workspace, { name: `Campaign ${this.#serial}` }))._id;
  }

  mailbox(workspace: WorkspaceScope, more: { dailySendLimit?: number } = {}): Promise<MailboxResponse> {
    this.#serial += 1;
    return this.get(MailboxCreationService).create(workspace, {
      email: `reports-${this.#serial}@mail.test`,
      smtpHost: 'smtp.mail.test',
      smtpPort: 587,
      smtpSecure: false,
      smtpPassword: 'smtp-canary',
      imapHost: 'imap.mail.test',
      imapPort: 993,
      imapSecure: true,
      ...more,
    });
  }

  plan(): Promise<void> {
    return this.get(ReportScheduleService).run(forever);
  }

  deliver({ _id, workspaceId }: Pick<ReportRecord, '_id' | 'workspaceId'>, signal = forever): Promise<void> {
    const payload = { workspaceId: workspaceId.toHexString(), reportId: _id.toHexString() };
    return this.get(ReportDeliveryService).run(payload, signal);
  }

  /** All reports of the workspace, oldest first. */
  async stored({ workspaceId }: WorkspaceScope, recipientId?: string): Promise<ReportRecord[]> {
    return this.reports
      .find({ workspaceId, ...(recipientId && { recipientId }) })
      .sort({ _id: 1 })
      .lean<ReportRecord[]>();
  }

  /** The only report. */
  async one(workspace: WorkspaceScope, recipientId?: string): Promise<ReportRecord> {
    const found = await this.stored(workspace, recipientId);
    const [only, ...others] = found;
    if (!only || others.length > 0) throw new Error(`There are ${found.length} reports`);
    return only;
  }

  async recipientOf({ workspaceId }: WorkspaceScope, recipientId: string): Promise<ReportRecipientRecord> {
    return this.recipients.findOne({ workspaceId, _id: recipientId }).orFail().lean<ReportRecipientRecord>();
  }
}
