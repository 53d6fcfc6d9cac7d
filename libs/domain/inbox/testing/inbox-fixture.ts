import { MailSessionPool } from '@adapters/mail';
import { type WorkspaceScope, systemScope } from '@domain/access';
import { type CreateCampaignRequest } from '@domain/campaigns';
import { UsersModule } from '@domain/identity';
import { LeadInsertionService, LeadRecord } from '@domain/leads';
import { MailboxRecord } from '@domain/mailboxes';
import { type Type } from '@nestjs/common';
import { getModelToken } from '@nestjs/mongoose';
import { OutboundModule } from '@platform/outbound';
import { QueuesModule, QueuesService } from '@platform/queues';
import { type FakeClock, type TestDatabase, openTestDatabase } from '@testing';
import { type Model, Types } from 'mongoose';
import { FakeMailDriver, type FakeMailbox } from '../../../adapters/mail/testing';
import { insertLike } from '../../sending/testing';
import { InboxModule } from '../inbox.module';
import { MailIntakeService } from '../intake/mail-intake.service';
import { createSend } from './created-send';
import { InboxRecords, type Written } from './inbox-records';
import { CampaignTemplates, createWorkspaceTemplate, type WorkspaceTemplate } from './inbox-templates';

/** A Wednesday. */
export const NOON = new Date('2026-11-25T12:00:00.000Z');

/** The inbox on a separate database, with in-memory mailboxes. */
export class InboxFixture extends InboxRecords {
  readonly driver = new FakeMailDriver();
  readonly clock: FakeClock;
  workspace!: WorkspaceScope;
  mailbox!: MailboxRecord;
  #serial = 0;
  #first: WorkspaceTemplate | null = null;
  readonly #campaigns: CampaignTemplates;

  private constructor(private readonly database: TestDatabase) {
    super();
    this.clock = database.clock;
    this.#campaigns = new CampaignTemplates(this);
  }

  /**
   * @param settings environment variables by name
   * @param more additional modules
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
    this.#first ??= await createWorkspaceTemplate(this);
    const { workspace } = this.#first;
    const [like] = await insertLike(this.model<typeof workspace>({ name: 'WorkspaceRecord' }), [workspace], new Map());
    this.workspace = systemScope(String(like?._id));
    this.mailbox = await this.connected();
  }

  /** Adds another mailbox. */
  async connected(provider: MailboxRecord['provider'] = 'google'): Promise<MailboxRecord> {
    this.#first ??= await createWorkspaceTemplate(this);
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
    return this.#campaigns.create(more);
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
      written.push({
        campaignId,
        leadId: leadId.toHexString(),
        send: await createSend(this, campaignId, leadId, email),
      });
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
    await this.get(MailIntakeService).ensureFresh(this.mailbox, 0, new AbortController().signal);
  }
}
