import { MailSessionPool } from '@adapters/mail';
import { type WorkspaceScope, systemActor, systemScope } from '@domain/access';
import {
  CampaignCountersService,
  CampaignStatusService,
  type CampaignSums,
  CampaignsService,
  type CreateCampaignRequest,
} from '@domain/campaigns';
import { EventRecord } from '@domain/events';
import { LeadInsertionService, LeadRecord } from '@domain/leads';
import { MailboxCreationService, MailboxMessageRecord, MailboxRecord } from '@domain/mailboxes';
import { SendRecord, SendRepository } from '@domain/sends';
import { UsersModule, UsersService, WorkspacesService } from '@domain/identity';
import { type Type } from '@nestjs/common';
import { getModelToken } from '@nestjs/mongoose';
import { OutboundModule } from '@platform/outbound';
import { QueuesModule, QueuesService } from '@platform/queues';
import { type FakeClock, type TestDatabase, openTestDatabase } from '@testing';
import { type Model, Types } from 'mongoose';
import { FakeMailDriver, type FakeMailbox } from '../../../adapters/mail/testing';
import { insertLike, stored } from '../../sending/testing';
import { InboxModule } from '../inbox.module';
import { MailIntakeService } from '../intake/mail-intake.service';
import { ConversationMessageRecord } from '../schemas/conversation-message.record';
import { ConversationRecord } from '../schemas/conversation.record';

/** A Wednesday. */
export const NOON = new Date('2026-11-25T12:00:00.000Z');

const forever = new AbortController().signal;
const STEPS: CreateCampaignRequest['sequence'] = [
  { subject: 'Your roadmap', body: '<p>First</p>' },
  { subject: '', body: '<p>Second</p>', delay: { value: 1, unit: 'days', workingDaysOnly: false } },
];

/** A lead that got an email, and the email. */
export interface Written {
  readonly campaignId: string;
  readonly leadId: string;
  readonly send: SendRecord;
}

/** Templates of a workspace with a mailbox, created by the services. */
interface Home {
  readonly workspace: { readonly _id: Types.ObjectId };
  readonly mailbox: Pick<MailboxRecord, keyof MailboxRecord>;
}

/** The template of a campaign: the records that the services created, by name, the campaign's own first. */
interface ActiveCampaign {
  readonly of: { readonly workspaceId: string; readonly mailboxId: string; readonly campaignId: string };
  readonly records: readonly (readonly [string, readonly unknown[]])[];
}

/** The inbox on a separate database, with in-memory mailboxes. */
export class InboxFixture {
  readonly driver = new FakeMailDriver();
  readonly clock: FakeClock;
  workspace!: WorkspaceScope;
  mailbox!: MailboxRecord;
  #serial = 0;
  #first: Home | null = null;
  /** Templates of active campaigns, by time and settings. */
  readonly #campaigns = new Map<string, ActiveCampaign>();

  private constructor(private readonly database: TestDatabase) {
    this.clock = database.clock;
  }

  /**
   * @param settings of the environment, by name
   * @param more modules beside the inbox
   */
  static async open(settings: Record<string, string> = {}, more: readonly Type[] = []): Promise<InboxFixture> {
    const imports = [QueuesModule, OutboundModule, UsersModule, InboxModule, ...more];
    const fixture = new InboxFixture(await openTestDatabase({ imports }, settings));
    jest
      .spyOn(fixture.get(MailSessionPool), 'use')
      .mockImplementation(({ id, revision, email }, work) =>
        work(fixture.driver.open({ kind: 'fake', id, revision, email })),
      );
    return fixture;
  }

  async close(): Promise<void> {
    jest.restoreAllMocks();
    await this.get(QueuesService).obliterate();
    await this.database.close();
  }

  /** A new workspace with a mailbox, at noon: created by the services, or copied from the template. */
  async fresh(): Promise<void> {
    this.clock.freeze(NOON);
    this.#first ??= await this.#home();
    const { workspace } = this.#first;
    const [like] = await insertLike(this.model<typeof workspace>({ name: 'WorkspaceRecord' }), [workspace], new Map());
    this.workspace = systemScope(String(like?._id));
    this.mailbox = await this.connected();
  }

  /** Adds another mailbox. */
  async connected(provider: MailboxRecord['provider'] = 'google'): Promise<MailboxRecord> {
    this.#first ??= await this.#home();
    const { workspace, mailbox } = this.#first;
    const like = { ...mailbox, email: `grace-${(this.#serial += 1)}@senders.test`, provider };
    const ids = new Map([[workspace._id.toHexString(), new Types.ObjectId(this.workspaceId)]]);
    const [connected] = await insertLike(this.model<MailboxRecord>(MailboxRecord), [like], ids);
    if (!connected) throw new Error('not connected');
    return connected;
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

  get box(): FakeMailbox {
    return this.driver.mailbox(this.mailbox.email);
  }

  /** An active campaign: created by the services, or copied from the template. */
  async campaign(more: Partial<CreateCampaignRequest> = {}): Promise<string> {
    const kind = JSON.stringify([this.clock.now(), more]);
    const first = this.#campaigns.get(kind);
    if (!first) return this.#firstCampaign(kind, more);
    const ids = new Map([
      [first.of.workspaceId, new Types.ObjectId(this.workspaceId)],
      [first.of.mailboxId, this.mailbox._id],
    ]);
    for (const [name, records] of first.records) await insertLike(this.model({ name }), records, ids);
    return String(ids.get(first.of.campaignId));
  }

  /** A lead of an active campaign that got its first email a day ago. */
  async written(email: string, more: Partial<CreateCampaignRequest> = {}, campaign?: string): Promise<Written> {
    const [written] = await this.allWritten([email], campaign ?? (await this.campaign(more)));
    if (!written) throw new Error('not inserted');
    return written;
  }

  /** The same for several leads, in order. */
  async allWritten(emails: readonly string[], campaignId: string): Promise<Written[]> {
    const given = emails.map((email) => ({ email, firstName: 'Ada' }));
    const { leads } = await this.get(LeadInsertionService).insert(this.workspace, campaignId, given);
    const ids = new Map(leads.map(({ _id, email }) => [email, _id]));
    const written: Written[] = [];
    for (const email of emails) {
      const leadId = ids.get(email);
      if (!leadId) throw new Error('not inserted');
      written.push({ campaignId, leadId: leadId.toHexString(), send: await this.#sent(campaignId, leadId, email) });
    }
    const lastSentAt = written[0]?.send.claimedAt;
    await this.model<LeadRecord>(LeadRecord).updateMany(
      { _id: { $in: leads.map(({ _id }) => _id) }, workspaceId: this.workspaceId },
      { $set: { mailboxId: this.mailbox._id, sentCount: 1, lastSentAt, stepId: new Types.ObjectId() } },
    );
    return written;
  }

  /** Delivers a message and completes its intake. */
  async arrives(raw: string, folder: 'inbox' | 'junk' | 'promotions' = 'inbox'): Promise<void> {
    await this.comes(raw, folder);
    await this.look();
  }

  /** Delivers a message that intake has not read yet. */
  async comes(raw: string, folder: 'inbox' | 'junk' | 'promotions' = 'inbox'): Promise<void> {
    await this.box.deliver(Buffer.from(raw.replaceAll('\n', '\r\n')), folder, this.clock.now());
  }

  /** Reads the mailbox. */
  async look(): Promise<void> {
    this.clock.advance(1_000);
    await this.get(MailIntakeService).ensureFresh(this.mailbox, 0, forever);
  }

  async lead({ leadId }: Pick<Written, 'leadId'>): Promise<LeadRecord> {
    const { workspaceId } = this;
    return this.model<LeadRecord>(LeadRecord).findOne({ _id: leadId, workspaceId }).orFail().lean<LeadRecord>();
  }

  async sendOf({ send }: Written): Promise<SendRecord> {
    const { workspaceId } = this;
    return this.model<SendRecord>(SendRecord).findOne({ _id: send._id, workspaceId }).orFail().lean<SendRecord>();
  }

  async messages(): Promise<MailboxMessageRecord[]> {
    const { workspaceId } = this;
    return this.model<MailboxMessageRecord>(MailboxMessageRecord)
      .find({ workspaceId })
      .sort({ receivedAt: 1, _id: 1 })
      .lean<MailboxMessageRecord[]>();
  }

  async conversations(): Promise<ConversationRecord[]> {
    const { workspaceId } = this;
    return this.model<ConversationRecord>(ConversationRecord)
      .find({ workspaceId })
      .sort({ createdAt: 1 })
      .lean<ConversationRecord[]>();
  }

  async said(): Promise<ConversationMessageRecord[]> {
    const { workspaceId } = this;
    return this.model<ConversationMessageRecord>(ConversationMessageRecord)
      .find({ workspaceId })
      .sort({ at: 1, _id: 1 })
      .lean<ConversationMessageRecord[]>();
  }

  /** Events about emails and leads, in order. */
  async events(): Promise<EventRecord[]> {
    const { workspaceId } = this;
    const found = await this.model<EventRecord>(EventRecord)
      .find({ workspaceId })
      .sort({ at: 1, _id: 1 })
      .lean<EventRecord[]>();
    return found.filter(({ type }) => /^(email|lead)\./.test(type));
  }

  async stats({ campaignId }: Pick<Written, 'campaignId'>): Promise<CampaignSums> {
    const sums = (await this.get(CampaignCountersService).sum(this.workspaceId, [campaignId])).get(campaignId);
    if (!sums) throw new Error('no figures');
    return sums;
  }

  async #home(): Promise<Home> {
    const by = systemActor('operator');
    const user = await this.get(UsersService).create({ email: 'owner@example.com', name: 'Owner' });
    const { id } = await this.get(WorkspacesService).createFor(user.id, { name: 'Acme' }, by);
    const _id = new Types.ObjectId();
    await this.get(MailboxCreationService).insert(systemScope(id), {
      _id,
      email: 'grace@senders.test',
      provider: 'google',
      connectionType: 'oauth',
      displayName: 'Grace',
      dailySendLimit: 50,
      sendGapSeconds: 0,
      timezone: 'UTC',
    });
    const workspaces = this.model<Home['workspace']>({ name: 'WorkspaceRecord' });
    const [workspace] = await stored(workspaces, { _id: new Types.ObjectId(id) });
    const [mailbox] = await stored(this.model<MailboxRecord>(MailboxRecord), { _id });
    if (!workspace || !mailbox) throw new Error('not created');
    return { workspace, mailbox };
  }

  async #firstCampaign(kind: string, more: Partial<CreateCampaignRequest>): Promise<string> {
    const { workspaceId, mailbox } = this;
    const mailboxId = mailbox._id.toHexString();
    const settings = { name: 'Autumn', mailboxes: [mailboxId], sequence: STEPS, ...more };
    const { _id } = await this.get(CampaignsService).create(this.workspace, settings);
    const transitions = this.get(CampaignStatusService);
    await transitions.notify(this.workspace, await transitions.activate(this.workspace, _id));
    const campaignId = new Types.ObjectId(_id);
    const records: [string, unknown[]][] = [
      ['CampaignRecord', await stored(this.model({ name: 'CampaignRecord' }), { _id: campaignId })],
      ['CampaignSequenceRecord', await stored(this.model({ name: 'CampaignSequenceRecord' }), { campaignId })],
      ['CampaignMailboxRecord', await stored(this.model({ name: 'CampaignMailboxRecord' }), { campaignId })],
    ];
    this.#campaigns.set(kind, { of: { workspaceId, mailboxId, campaignId: _id }, records });
    return _id;
  }

  async #sent(campaignId: string, leadId: Types.ObjectId, email: string): Promise<SendRecord> {
    const _id = new Types.ObjectId();
    const at = new Date(this.clock.now().getTime() - 86_400_000);
    const send = await this.get(SendRepository).claim({
      _id,
      workspaceId: new Types.ObjectId(this.workspaceId),
      campaignId: new Types.ObjectId(campaignId),
      leadId,
      stepId: new Types.ObjectId(),
      stepOrder: 0,
      variantId: new Types.ObjectId(),
      sequenceVersion: 1,
      mailboxId: this.mailbox._id,
      email,
      fence: 1,
      messageId: `<${_id.toHexString()}@senders.test>`,
      claimedAt: at,
    });
    if (!send) throw new Error('not claimed');
    const sent = { state: 'sent', handoverAt: at, sentAt: at, subject: 'Your roadmap' } as const;
    return this.model<SendRecord>(SendRecord)
      .findOneAndUpdate({ _id, workspaceId: this.workspaceId }, { $set: sent }, { returnDocument: 'after' })
      .orFail()
      .lean<SendRecord>();
  }
}
