import { CrmModule, type CrmSession } from '@adapters/crm';
import { MailModule } from '@adapters/mail';
import { systemScope } from '@domain/access';
import { EventRelayService, type EventType, EventsService } from '@domain/events';
import { UsersModule, WorkspaceRepository } from '@domain/identity';
import { getModelToken } from '@nestjs/mongoose';
import { TransactionService } from '@platform/database';
import { OutboundModule } from '@platform/outbound';
import { QueuesModule, QueuesService } from '@platform/queues';
import { SecretBoxService } from '@platform/secrets';
import { type Model, Types } from 'mongoose';
import { type FakeClock, openTestDatabase, type TestDatabase } from '../../../../testing';
import { happening } from '../../../events/testing';
import { CrmAutomationModule } from '../../automation/crm-automation.module';
import { CrmAutomationRecord } from '../../automation/schemas/crm-automation.record';
import { CrmConnectionRecord } from '../../connections/schemas/crm-connection.record';
import { type CrmWorkContext } from '../../work-partitions/crm-work-handler';
import { CrmActivityJobService } from '../crm-activity-job.service';
import { ActivityRecords } from './activity-records';
import { newHubSpotConnection } from './hubspot-connection';
import { ScriptedSession } from './scripted-session';

export const ADA = 'ada@example.com';
export const newId = (): Types.ObjectId => new Types.ObjectId();
const forever = new AbortController().signal;

/** Activities of HubSpot on a separate database. Tests record events, relay them and post activities explicitly. */
export class ActivityFixture extends ActivityRecords {
  session = new ScriptedSession();
  workspaceId = newId();
  connectionId = newId();
  /** Whether this worker still holds the partition lease. */
  holdsLease = true;
  #serial = 0;

  private constructor(readonly database: TestDatabase) {
    super();
    jest.spyOn(this.get(WorkspaceRepository), 'filterAlive').mockImplementation((ids) => Promise.resolve(new Set(ids)));
  }

  static async open(): Promise<ActivityFixture> {
    const imports = [QueuesModule, OutboundModule, MailModule, UsersModule, CrmModule, CrmAutomationModule];
    return new ActivityFixture(await openTestDatabase({ imports }));
  }

  /** Creates another workspace, and a CRM with the person Ada. */
  fresh(): void {
    this.workspaceId = newId();
    this.connectionId = newId();
    this.session = new ScriptedSession();
    this.session.person('p1', ADA);
    this.holdsLease = true;
    this.clock.reset();
  }

  get clock(): FakeClock {
    return this.database.clock;
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

  /** Stores the workspace's automation for HubSpot, starting a minute ago. */
  async configure(settings: Partial<CrmAutomationRecord> = {}): Promise<void> {
    await this.model<CrmAutomationRecord>(CrmAutomationRecord).updateOne(
      { workspaceId: this.workspaceId, crmType: 'hubspot' },
      {
        $set: {
          activities: ['email.sent', 'email.replied'],
          pushOn: [],
          campaignIds: [],
          createPeople: false,
          since: this.clock.in(-60_000),
          ...settings,
        },
      },
      { upsert: true },
    );
  }

  /** Connects HubSpot by a key. */
  async connect(status: CrmConnectionRecord['status'] = 'connected'): Promise<void> {
    const record = newHubSpotConnection(
      this.workspaceId,
      this.connectionId,
      this.clock.now(),
      this.get(SecretBoxService),
    );
    await this.model<CrmConnectionRecord>(CrmConnectionRecord).create({ ...record, status });
  }

  /** Records an event of a person. @returns the lead */
  async happen(email: string, type: EventType = 'email.sent', about: { campaignId?: string } = {}): Promise<string> {
    const leadId = newId().toHexString();
    this.#serial += 1;
    const event = happening(type, `happening-${this.#serial}`, {
      about: { ...about, leadId },
      data: { email } as never,
    });
    await this.get(TransactionService).run(() =>
      this.get(EventsService).record(systemScope(this.workspaceId.toHexString()), event as never),
    );
    this.clock.advance(1_000);
    return leadId;
  }

  async relay(): Promise<void> {
    await this.get(EventRelayService).relay(forever);
  }

  /** Posts all due activities, or stops when the CRM fails. */
  async runActivities(): Promise<void> {
    const work = this.get(CrmActivityJobService);
    const workspaceId = this.workspaceId.toHexString();
    for (;;) {
      const dueAt = await work.dueAt(workspaceId, 'hubspot');
      if (!dueAt || dueAt > this.clock.now()) return;
      await work.step(this.context());
    }
  }

  context(): CrmWorkContext {
    const crm = { connectionId: this.connectionId, session: this.session as unknown as CrmSession };
    return {
      workspaceId: this.workspaceId.toHexString(),
      type: 'hubspot',
      crm: crm as CrmWorkContext['crm'],
      signal: forever,
      renewLease: () => Promise.resolve(this.holdsLease),
      requireLease: () => (this.holdsLease ? Promise.resolve() : Promise.reject(new Error('lease lost'))),
    };
  }
}
