import { MailSessionPool } from '@adapters/mail';
import { systemActor, systemScope } from '@domain/access';
import { type CreateCampaignRequest } from '@domain/campaigns';
import { UsersModule, UsersService, WorkspacesService } from '@domain/identity';
import { LeadInsertionService, type NewLead } from '@domain/leads';
import { MailboxAccountService, MailboxCreationService, type MailboxRecord } from '@domain/mailboxes';
import { MailboxLeaseService } from '@domain/sends';
import { type Type } from '@nestjs/common';
import { OutboundModule } from '@platform/outbound';
import { QueuesModule, QueuesService } from '@platform/queues';
import { type TestDatabase, openTestDatabase } from '@testing';
import { Types } from 'mongoose';
import { MailboxSenderService } from '../pipeline/mailbox-sender.service';
import { SendingModule } from '../sending.module';
import { ActiveCampaigns } from './active-campaigns';
import { insertLike, stored } from './records-like';
import { ScriptedServer } from './scripted-server';
import { SendingRecords } from './sending-records';

/** A Wednesday. */
export const NOON = new Date('2026-11-25T12:00:00.000Z');
export const MINUTE = 60_000;
export const HOUR = 60 * MINUTE;

type Stored = Readonly<Record<string, unknown>>;

/** The engine with a test database and scripted mail servers. */
export class SendingFixture extends SendingRecords {
  readonly server = new ScriptedServer();
  #serial = 0;
  #first: Stored | null = null;
  readonly #campaigns = new ActiveCampaigns(this);

  private constructor(database: TestDatabase) {
    super(database);
  }

  /**
   * @param more domains above this one
   * @param overrides of the configuration
   */
  static async open(more: readonly Type[] = [], overrides: Record<string, string> = {}): Promise<SendingFixture> {
    const imports = [QueuesModule, OutboundModule, UsersModule, SendingModule, ...more];
    const fixture = new SendingFixture(await openTestDatabase({ imports }, overrides));
    jest
      .spyOn(fixture.get(MailSessionPool), 'use')
      .mockImplementation((_account, work) => work(fixture.server.session()));
    return fixture;
  }

  async close(): Promise<void> {
    jest.restoreAllMocks();
    await this.get(QueuesService).obliterate();
    await this.database.close();
  }

  /** Creates a workspace for each test, at noon: a copy of one that the services created. */
  async fresh(): Promise<void> {
    this.server.reset();
    this.clock.freeze(NOON);
    this.#first ??= await this.#created();
    const [like] = await insertLike(this.model<Stored>({ name: 'WorkspaceRecord' }), [this.#first], new Map());
    this.workspace = systemScope(String(like?._id));
  }

  async mailbox(fields: Partial<MailboxRecord> = {}): Promise<string> {
    this.#serial += 1;
    const _id = new Types.ObjectId();
    const email = `sender-${this.#serial}@senders.test`;
    await this.get(MailboxCreationService).insert(this.workspace, {
      _id,
      email,
      provider: 'custom',
      connectionType: 'smtp',
      displayName: 'Grace',
      dailySendLimit: 50,
      sendGapSeconds: 0,
      timezone: 'UTC',
      smtpHost: 'smtp.test',
      smtpPort: 587,
      smtpSecure: false,
      imapHost: 'imap.test',
      imapPort: 993,
      imapSecure: true,
      ...this.credentials(_id, email),
      ...fields,
    });
    return _id.toHexString();
  }

  /** Credentials of a mailbox of the workspace. */
  credentials(_id: Types.ObjectId, user: string): Pick<MailboxRecord, 'smtpCredentials' | 'imapCredentials'> {
    const seal = (server: 'smtp' | 'imap') =>
      this.get(MailboxAccountService).sealServer(this.workspaceId, _id, server, { user, password: 'secret' });
    return { smtpCredentials: seal('smtp'), imapCredentials: seal('imap') };
  }

  /** Creates an active campaign whose windows are always open. */
  async campaign(
    mailboxes: string[],
    leads: readonly (string | NewLead)[] = [],
    more: Partial<CreateCampaignRequest> = {},
  ): Promise<string> {
    const campaignId = await this.#campaigns.create(mailboxes, more);
    if (leads.length > 0) await this.leads(campaignId, leads);
    return campaignId;
  }

  async leads(campaignId: string, leads: readonly (string | NewLead)[]): Promise<void> {
    const rows = leads.map((lead) => (typeof lead === 'string' ? { email: lead } : lead));
    await this.get(LeadInsertionService).insert(this.workspace, campaignId, rows);
  }

  /** Runs a mailbox once, whatever was planned. */
  async run(mailboxId: string, signal = new AbortController().signal): Promise<void> {
    await this.get(MailboxLeaseService).scheduleNow(this.workspaceId, [mailboxId]);
    await this.get(MailboxSenderService).run({ workspaceId: this.workspaceId, mailboxId }, signal);
  }

  /** Runs a mailbox with a worker that crashes at this point of an email; its lease has expired. */
  async crash(mailboxId: string, when: 'beforeHandover' | 'onHandover'): Promise<void> {
    this.server[when] = () => Promise.reject(new Error('killed'));
    const end = await this.run(mailboxId).catch((error: unknown) => error);
    if (!(end instanceof Error && end.message === 'killed')) throw new Error('The worker did not crash');
    this.server[when] = () => undefined;
    await this.expire(mailboxId);
  }

  async expire(mailboxId: string): Promise<void> {
    await this.leases.updateOne(
      { _id: mailboxId, workspaceId: this.workspaceId },
      { $set: { leaseUntil: new Date(0) } },
    );
  }

  recipients(): string[] {
    return this.server.given.map(({ to }) => to);
  }

  async #created(): Promise<Stored> {
    const user = await this.get(UsersService).create({ email: 'owner@example.com', name: 'Owner' });
    const by = systemActor('operator');
    const { id } = await this.get(WorkspacesService).createFor(user.id, { name: 'Acme' }, by);
    const [workspace] = await stored(this.model<Stored>({ name: 'WorkspaceRecord' }), { _id: new Types.ObjectId(id) });
    if (!workspace) throw new Error('not created');
    return workspace;
  }
}
