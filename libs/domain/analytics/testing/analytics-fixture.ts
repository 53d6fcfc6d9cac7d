import { systemActor, systemScope, type WorkspaceScope } from '@domain/access';
import { EventRelayService, EventsService, type EventType } from '@domain/events';
import { MailboxCreationService } from '@domain/mailboxes';
import { UsersModule, UsersService, WorkspacesService } from '@domain/identity';
import { type ModuleMetadata } from '@nestjs/common';
import { getModelToken } from '@nestjs/mongoose';
import { OutboundModule } from '@platform/outbound';
import { QueuesModule, QueuesService } from '@platform/queues';
import { type TestDatabase, openTestDatabase } from '@testing';
import { type Model, Types } from 'mongoose';
import { happening } from '../../events/testing';
import { AnalyticsModule } from '../analytics.module';
import { CampaignDayRecord } from '../schemas/campaign-day.record';

const SCHEDULE = { timezone: 'Asia/Kathmandu', startTime: '09:00', endTime: '17:00', workingDays: [1, 2, 3, 4, 5] };

type ModuleImports = NonNullable<ModuleMetadata['imports']>;

/** Analytics on a separate database; tests record events without the actions that cause them. */
export class AnalyticsFixture {
  workspace!: WorkspaceScope;
  #serial = 0;

  private constructor(readonly database: TestDatabase) {}

  /** @param more additional modules */
  static async open(more: { imports: ModuleImports } = { imports: [] }): Promise<AnalyticsFixture> {
    const imports = [QueuesModule, OutboundModule, UsersModule, AnalyticsModule, ...more.imports];
    const fixture = new AnalyticsFixture(await openTestDatabase({ imports }));
    return fixture;
  }

  async close(): Promise<void> {
    await this.get(QueuesService).obliterate();
    await this.database.close();
  }

  /** A new workspace for each test. */
  async fresh(): Promise<void> {
    this.#serial += 1;
    const user = await this.get(UsersService).create({ email: `owner-${this.#serial}@example.com`, name: 'Owner' });
    const created = this.get(WorkspacesService).createFor(user.id, { name: 'Acme' }, systemActor('operator'));
    this.workspace = systemScope((await created).id);
  }

  get workspaceId(): string {
    return this.workspace.workspaceId;
  }

  get<T>(service: abstract new (...args: never[]) => T): T {
    return this.database.module.get<T>(service, { strict: false });
  }

  model<T>(record: { name: string }): Model<T> {
    return this.database.module.get<Model<T>>(getModelToken(record.name), { strict: false });
  }

  get days(): Model<CampaignDayRecord> {
    return this.model<CampaignDayRecord>(CampaignDayRecord);
  }

  async campaign(name = 'Autumn'): Promise<string> {
    const _id = new Types.ObjectId();
    const workspaceId = new Types.ObjectId(this.workspaceId);
    const fields = { name, status: 'active', deletedAt: null, sendingSchedule: SCHEDULE };
    await this.model({ name: 'CampaignRecord' }).collection.insertOne({ _id, workspaceId, ...fields });
    return _id.toHexString();
  }

  async mailbox(timezone = 'UTC'): Promise<string> {
    const _id = new Types.ObjectId();
    await this.get(MailboxCreationService).insert(this.workspace, {
      _id,
      email: `${_id.toHexString()}@senders.test`,
      provider: 'google',
      connectionType: 'oauth',
      displayName: 'Grace',
      dailySendLimit: 50,
      sendGapSeconds: 0,
      timezone,
    } as never);
    return _id.toHexString();
  }

  /** Records a number of events of a type. */
  async tell(
    type: EventType,
    about: { campaignId?: string; mailboxId?: string },
    { at, firstOfLead = false, count = 1 }: { at: string; firstOfLead?: boolean; count?: number },
  ): Promise<void> {
    const events = Array.from({ length: count }, () => {
      this.#serial += 1;
      return happening(type, `${type}:${this.#serial}`, { about, firstOfLead, at: new Date(at) });
    });
    await this.get(EventsService).recordAll(this.workspace, events);
  }

  async relay(): Promise<void> {
    await this.get(EventRelayService).relay();
  }
}
