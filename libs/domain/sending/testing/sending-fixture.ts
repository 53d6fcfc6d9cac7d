import { MailSessionPool } from '@adapters/mail';
import { type WorkspaceScope, systemActor, systemScope } from '@domain/access';
import {
  CampaignCountersService,
  CampaignsService,
  type CampaignRecord,
  CampaignRepository,
  CampaignStatusService,
  type CampaignSums,
  type CreateCampaignRequest,
} from '@domain/campaigns';
import { EventRecord } from '@domain/events';
import { LeadInsertionService, LeadRecord, type NewLead } from '@domain/leads';
import { MailboxAccountService, MailboxCreationService, MailboxRecord } from '@domain/mailboxes';
import { MailboxLeaseRecord, MailboxLeaseService, SendRecord } from '@domain/sends';
import { UsersModule, UsersService, WorkspacesService } from '@domain/identity';
import { type Type } from '@nestjs/common';
import { getModelToken } from '@nestjs/mongoose';
import { OutboundModule } from '@platform/outbound';
import { QueuesModule, QueuesService } from '@platform/queues';
import { type FakeClock, type TestDatabase, openTestDatabase } from '@testing';
import { type Model, Types } from 'mongoose';
import { SendingModule } from '../sending.module';
import { MailboxSenderService } from '../pipeline/mailbox-sender.service';
import { insertLike, stored } from './records-like';
import { ScriptedServer } from './scripted-server';

/** A Wednesday. */
export const NOON = new Date('2026-11-25T12:00:00.000Z');
export const MINUTE = 60_000;
export const HOUR = 60 * MINUTE;

const ALWAYS = { timezone: 'UTC', startTime: '00:00', endTime: '23:59', workingDays: [1, 2, 3, 4, 5, 6, 7] };
const STEPS: CreateCampaignRequest['sequence'] = [
  { subject: 'Hello', body: '<p>First</p>' },
  { subject: '', body: '<p>Second</p>', delay: { value: 1, unit: 'days', workingDaysOnly: false } },
];

/** The fields of a campaign share that specs read. */
interface Share {
  newLeads: number;
  nextAt: Date | null;
}

type Stored = Readonly<Record<string, unknown>>;

/** Its records by collection, the campaign's own first. */
interface ActiveCampaign {
  readonly campaignId: string;
  /** Ids of its workspace and its mailboxes. */
  readonly refersTo: readonly string[];
  readonly records: readonly (readonly [string, readonly unknown[]])[];
}

/** The engine with a test database and scripted mail servers. */
export class SendingFixture {
  readonly server = new ScriptedServer();
  readonly clock: FakeClock;
  workspace!: WorkspaceScope;
  #serial = 0;
  #first: Stored | null = null;
  /** Campaigns that the services created, by time and settings; later ones are copies. */
  readonly #campaigns = new Map<string, ActiveCampaign>();

  private constructor(private readonly database: TestDatabase) {
    this.clock = database.clock;
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

  get<T>(service: abstract new (...args: never[]) => T): T {
    return this.database.module.get<T>(service, { strict: false });
  }

  model<T>(record: { name: string }): Model<T> {
    return this.database.module.get<Model<T>>(getModelToken(record.name), { strict: false });
  }

  get workspaceId(): string {
    return this.workspace.workspaceId;
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

  /**
   * Creates an active campaign whose windows are always open: the first of its kind by the services, further ones as
   * copies.
   */
  async campaign(
    mailboxes: string[],
    leads: readonly (string | NewLead)[] = [],
    more: Partial<CreateCampaignRequest> = {},
  ): Promise<string> {
    const kind = JSON.stringify([this.clock.now(), mailboxes.length, more]);
    const first = this.#campaigns.get(kind) ?? (await this.#active(mailboxes, more));
    const isFirst = !this.#campaigns.has(kind);
    this.#campaigns.set(kind, first);
    const campaignId = isFirst ? first.campaignId : await this.#like(first, mailboxes);
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

  get leases(): Model<MailboxLeaseRecord> {
    return this.model<MailboxLeaseRecord>(MailboxLeaseRecord);
  }

  async leaseOf(mailboxId: string): Promise<MailboxLeaseRecord> {
    return this.leases.findOne({ _id: mailboxId, workspaceId: this.workspaceId }).orFail().lean<MailboxLeaseRecord>();
  }

  async lead(email: string): Promise<LeadRecord> {
    const { workspaceId } = this;
    return this.model<LeadRecord>(LeadRecord).findOne({ workspaceId, email }).orFail().lean<LeadRecord>();
  }

  async changeLead(email: string, fields: Partial<LeadRecord>): Promise<void> {
    await this.model<LeadRecord>(LeadRecord).updateOne({ workspaceId: this.workspaceId, email }, { $set: fields });
  }

  async changeMailbox(mailboxId: string, fields: object): Promise<void> {
    const mailboxes = this.model<MailboxRecord>(MailboxRecord);
    await mailboxes.updateOne({ _id: mailboxId, workspaceId: this.workspaceId }, { $set: fields });
  }

  /** Returns the sends to an address, in the order of their steps. */
  async sends(email: string): Promise<SendRecord[]> {
    const { workspaceId } = this;
    return this.model<SendRecord>(SendRecord).find({ workspaceId, email }).sort({ stepOrder: 1 }).lean<SendRecord[]>();
  }

  async stateOf(email: string): Promise<string | undefined> {
    return (await this.sends(email)).at(-1)?.state;
  }

  async campaignOf(campaignId: string): Promise<CampaignRecord> {
    return this.get(CampaignRepository).find(this.workspace, campaignId);
  }

  async sums(campaignId: string): Promise<CampaignSums> {
    const sums = (await this.get(CampaignCountersService).sum(this.workspaceId, [campaignId])).get(campaignId);
    if (!sums) throw new Error('no figures');
    return sums;
  }

  async share(campaignId: string, mailboxId: string): Promise<Share> {
    const shares: Model<Share> = this.model<Share>({ name: 'CampaignMailboxRecord' });
    return shares.findOne({ workspaceId: this.workspaceId, campaignId, mailboxId }).orFail().lean<Share>();
  }

  /** Returns the use of a campaign's daily limits, by name. */
  async used(campaignId: string): Promise<Record<string, number>> {
    const quotas: Model<{ name: string; used: number }> = this.model({ name: 'SendQuotaRecord' });
    const found = await quotas
      .find({ workspaceId: this.workspaceId, campaignId })
      .lean<{ name: string; used: number }[]>();
    return Object.fromEntries(found.map(({ name, used }) => [name, used]));
  }

  /** Returns the names of the workspace's sending events, sorted by name. */
  async events(): Promise<string[]> {
    const events = this.model<EventRecord>(EventRecord);
    const found = await events.find({ workspaceId: this.workspaceId }).sort({ type: 1 }).lean<EventRecord[]>();
    return found
      .map(({ type }) => type)
      .filter((type) => !/^(workspace|mailbox\.connected|campaign\.(created|started))/.test(type));
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

  async #active(mailboxes: string[], more: Partial<CreateCampaignRequest>): Promise<ActiveCampaign> {
    const settings = { emailIntervalMinutes: 0, sendingSchedule: ALWAYS, sequence: STEPS, ...more };
    const { _id } = await this.get(CampaignsService).create(this.workspace, {
      name: 'Autumn',
      mailboxes,
      ...settings,
    });
    const transitions = this.get(CampaignStatusService);
    await transitions.notify(this.workspace, await transitions.activate(this.workspace, _id));
    const campaignId = new Types.ObjectId(_id);
    const records: ActiveCampaign['records'] = [
      ['CampaignRecord', await stored(this.model({ name: 'CampaignRecord' }), { _id: campaignId })],
      ['CampaignSequenceRecord', await stored(this.model({ name: 'CampaignSequenceRecord' }), { campaignId })],
      ['CampaignMailboxRecord', await stored(this.model({ name: 'CampaignMailboxRecord' }), { campaignId })],
    ];
    return { campaignId: _id, refersTo: [this.workspaceId, ...mailboxes], records };
  }

  async #like({ campaignId, refersTo, records }: ActiveCampaign, mailboxes: string[]): Promise<string> {
    const now = [this.workspaceId, ...mailboxes];
    const ids = new Map(refersTo.map((id, at) => [id, new Types.ObjectId(now[at])]));
    for (const [name, of] of records) await insertLike(this.model({ name }), of, ids);
    await this.get(MailboxLeaseService).scheduleNow(this.workspaceId, mailboxes);
    return String(ids.get(campaignId));
  }
}
