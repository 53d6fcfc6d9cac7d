import { MailSessions } from '@adapters/mail';
import { systemActor, systemScope, type WorkspaceScope } from '@domain/access';
import {
  CampaignCounters,
  CampaignCreationService,
  type CampaignSums,
  CampaignTransitions,
  type CreateCampaignRequest,
} from '@domain/campaigns';
import { EventRecord } from '@domain/events';
import { LeadInsertion, LeadRecord } from '@domain/leads';
import { MailboxInsertion, MailboxMessageRecord, MailboxRecord } from '@domain/mailboxes';
import { SendRecord, Sends } from '@domain/sends';
import { UsersModule, UsersService } from '@domain/users';
import { WorkspaceCreationService } from '@domain/workspaces';
import { type Type } from '@nestjs/common';
import { getModelToken } from '@nestjs/mongoose';
import { OutboundModule } from '@platform/outbound';
import { Queues, QueuesModule } from '@platform/queues';
import { type FakeClock, openTestDatabase, type TestDatabase } from '@testing';
import { type Model, Types } from 'mongoose';
import { FakeMailDriver, type FakeMailbox } from '../../../adapters/mail/testing';
import { InboxModule } from '../inbox.module';
import { InboxFreshness } from '../intake/inbox.freshness.service';
import { ConversationMessageRecord } from '../schemas/conversation-message.record';
import { ConversationRecord } from '../schemas/conversation.record';

/** A Wednesday. */
export const NOON = new Date('2026-11-25T12:00:00.000Z');

const forever = new AbortController().signal;
const STEPS: CreateCampaignRequest['sequence'] = [
  { subject: 'Your roadmap', body: '<p>First</p>' },
  { subject: '', body: '<p>Second</p>', delay: { value: 1, unit: 'days', workingDaysOnly: false } },
];

/** A lead that was written to, and the email. */
export interface Written {
  readonly campaignId: string;
  readonly leadId: string;
  readonly send: SendRecord;
}

/** The inbox with a database of its own, and mailboxes in memory. */
export class InboxFixture {
  readonly driver = new FakeMailDriver();
  readonly clock: FakeClock;
  workspace!: WorkspaceScope;
  mailbox!: MailboxRecord;
  #serial = 0;

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
      .spyOn(fixture.get(MailSessions), 'use')
      .mockImplementation(({ id, revision, email }, work) =>
        work(fixture.driver.open({ kind: 'fake', id, revision, email })),
      );
    return fixture;
  }

  async close(): Promise<void> {
    jest.restoreAllMocks();
    await this.get(Queues).obliterate();
    await this.database.close();
  }

  /** A workspace of its own with a mailbox for each test, at noon. */
  async fresh(): Promise<void> {
    this.#serial += 1;
    this.clock.freeze(NOON);
    const user = await this.get(UsersService).create({ email: `owner-${this.#serial}@example.com`, name: 'Owner' });
    const by = systemActor('operator');
    const { id } = await this.get(WorkspaceCreationService).createFor(user.id, { name: 'Acme' }, by);
    this.workspace = systemScope(id);
    this.mailbox = await this.connected();
  }

  /** One more mailbox. */
  async connected(provider: MailboxRecord['provider'] = 'google'): Promise<MailboxRecord> {
    this.#serial += 1;
    const _id = new Types.ObjectId();
    await this.get(MailboxInsertion).insert(this.workspace, {
      _id,
      email: `grace-${this.#serial}@senders.test`,
      provider,
      connectionType: 'oauth',
      displayName: 'Grace',
      dailySendLimit: 50,
      sendGapSeconds: 0,
      timezone: 'UTC',
    } as never);
    return this.model<MailboxRecord>(MailboxRecord)
      .findOne({ _id, workspaceId: this.workspaceId })
      .orFail()
      .lean<MailboxRecord>();
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

  async campaign(more: Partial<CreateCampaignRequest> = {}): Promise<string> {
    const mailboxes = [this.mailbox._id.toHexString()];
    const { _id } = await this.get(CampaignCreationService).create(this.workspace, {
      name: 'Autumn',
      mailboxes,
      sequence: STEPS,
      ...more,
    });
    const transitions = this.get(CampaignTransitions);
    await transitions.told(this.workspace, await transitions.activate(this.workspace, _id));
    return _id;
  }

  /** A lead of an active campaign that has had its first email a day ago. */
  async written(email: string, more: Partial<CreateCampaignRequest> = {}, campaign?: string): Promise<Written> {
    const [written] = await this.allWritten([email], campaign ?? (await this.campaign(more)));
    if (!written) throw new Error('not inserted');
    return written;
  }

  /** The same for several leads, in their order. */
  async allWritten(emails: readonly string[], campaignId: string): Promise<Written[]> {
    const given = emails.map((email) => ({ email, firstName: 'Ada' }));
    const { leads } = await this.get(LeadInsertion).insert(this.workspace, campaignId, given);
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

  /** A message comes in, and everything that follows is done. */
  async arrives(raw: string, folder: 'inbox' | 'junk' | 'promotions' = 'inbox'): Promise<void> {
    await this.comes(raw, folder);
    await this.look();
  }

  /** A message comes in, and nobody has looked yet. */
  async comes(raw: string, folder: 'inbox' | 'junk' | 'promotions' = 'inbox'): Promise<void> {
    await this.box.deliver(Buffer.from(raw.replaceAll('\n', '\r\n')), folder, this.clock.now());
  }

  /** Reads the mailbox. */
  async look(): Promise<void> {
    this.clock.advance(1_000);
    await this.get(InboxFreshness).ensure(this.mailbox, 0, forever);
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

  /** Events about emails and leads, in their order. */
  async events(): Promise<EventRecord[]> {
    const { workspaceId } = this;
    const found = await this.model<EventRecord>(EventRecord)
      .find({ workspaceId })
      .sort({ at: 1, _id: 1 })
      .lean<EventRecord[]>();
    return found.filter(({ type }) => /^(email|lead)\./.test(type));
  }

  async stats({ campaignId }: Pick<Written, 'campaignId'>): Promise<CampaignSums> {
    const sums = (await this.get(CampaignCounters).of(this.workspaceId, [campaignId])).get(campaignId);
    if (!sums) throw new Error('no figures');
    return sums;
  }

  async #sent(campaignId: string, leadId: Types.ObjectId, email: string): Promise<SendRecord> {
    const _id = new Types.ObjectId();
    const at = new Date(this.clock.now().getTime() - 86_400_000);
    const send = await this.get(Sends).claim({
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
    const sent = { state: 'sent', wireAt: at, sentAt: at, subject: 'Your roadmap' } as const;
    return this.model<SendRecord>(SendRecord)
      .findOneAndUpdate({ _id, workspaceId: this.workspaceId }, { $set: sent }, { returnDocument: 'after' })
      .orFail()
      .lean<SendRecord>();
  }
}
