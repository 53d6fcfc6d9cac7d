import { MailModule } from '@adapters/mail';
import { systemScope } from '@domain/access';
import { EventRecord, EventRelayService, type EventType, EventsService } from '@domain/events';
import { WorkspaceRepository } from '@domain/identity';
import { getModelToken } from '@nestjs/mongoose';
import { OutboundModule } from '@platform/outbound';
import { QueuesModule, QueuesService } from '@platform/queues';
import { SecretBoxService } from '@platform/secrets';
import { type FakeClock, type TestDatabase, openTestDatabase } from '@testing';
import { type Model, Types } from 'mongoose';
import { happening } from '../../events/testing';
import { WebhookDeliveryService } from '../delivery/webhook-delivery.service';
import { WebhookWorkPartitionService } from '../work-partitions/webhook-work-partition.service';
import { WebhookDeliveryRecord } from '../schemas/webhook-delivery.record';
import { WebhookWorkPartitionRecord } from '../schemas/webhook-work-partition.record';
import { WebhookRecord } from '../schemas/webhook.record';
import { createSecret, getWebhookSecretOwner } from '../webhook-secrets';
import { WebhooksModule } from '../webhooks.module';

export const id = (): Types.ObjectId => new Types.ObjectId();
const forever = new AbortController().signal;

/** Webhooks with their own database: the tests record events, relay them and run deliveries. */
export class WebhooksFixture {
  readonly clock: FakeClock;
  readonly partitions: WebhookWorkPartitionService;
  readonly events: EventsService;
  readonly webhooks: Model<WebhookRecord>;
  readonly deliveries: Model<WebhookDeliveryRecord>;
  readonly partitionRecords: Model<WebhookWorkPartitionRecord>;
  readonly eventRecords: Model<EventRecord>;
  /** Deleted workspaces; all others exist. */
  readonly deleted = new Set<string>();
  #serial = 0;

  private constructor(readonly database: TestDatabase) {
    this.clock = database.clock;
    this.partitions = this.get(WebhookWorkPartitionService);
    this.events = this.get(EventsService);
    this.webhooks = this.model(WebhookRecord);
    this.deliveries = this.model(WebhookDeliveryRecord);
    this.partitionRecords = this.model(WebhookWorkPartitionRecord);
    this.eventRecords = this.model(EventRecord);
  }

  static async open(overrides: Record<string, string> = {}): Promise<WebhooksFixture> {
    const imports = [QueuesModule, OutboundModule, MailModule, WebhooksModule];
    const fixture = new WebhooksFixture(await openTestDatabase({ imports }, overrides));
    jest
      .spyOn(fixture.get(WorkspaceRepository), 'filterAlive')
      .mockImplementation((workspaces) =>
        Promise.resolve(new Set(workspaces.filter((one) => !fixture.deleted.has(one)))),
      );
    return fixture;
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

  /** Creates a webhook that has been active for a minute. */
  async webhook(
    url: string,
    fields: Partial<Omit<WebhookRecord, '_id'>> = {},
  ): Promise<WebhookRecord & { plainSecret: string }> {
    const _id = id();
    const workspaceId = fields.workspaceId ?? id();
    const plainSecret = createSecret();
    const events: EventType[] = fields.events ?? ['email.sent'];
    const made = await this.webhooks.create({
      _id,
      workspaceId,
      name: 'CRM',
      url,
      events,
      secret: this.sealed(plainSecret, { _id, workspaceId }),
      retryAttempts: 5,
      timeoutMs: 1_000,
      status: 'active',
      periods: [{ from: this.clock.in(-60_000), events }],
      createdBy: id().toHexString(),
      stats: { totalDelivered: 0, totalFailed: 0, lastDeliveredAt: null },
      ...fields,
    });
    return Object.assign(made.toObject(), { plainSecret });
  }

  sealed(secret: string, { _id, workspaceId }: Pick<WebhookRecord, '_id' | 'workspaceId'>): string {
    return this.get(SecretBoxService).seal(secret, getWebhookSecretOwner(workspaceId, _id));
  }

  /** Records `count` events in the workspace and returns their ids. */
  async recordEvents(workspaceId: Types.ObjectId, count = 1, type: EventType = 'email.sent'): Promise<string[]> {
    const keys = Array.from({ length: count }, () => `${type}:${(this.#serial += 1)}`);
    const events = keys.map((dedupeKey) => happening(type, dedupeKey));
    await this.events.recordAll(systemScope(workspaceId.toHexString()), events);
    const found = await this.eventRecords.find({ workspaceId, dedupeKey: { $in: keys } }, { dedupeKey: 1 }).lean();
    const ids = new Map(found.map(({ _id, dedupeKey }) => [dedupeKey, _id.toHexString()]));
    return keys.map((key) => ids.get(key) ?? 'missing');
  }

  /** Relays the recorded events. */
  async relay(): Promise<void> {
    await this.get(EventRelayService).relay();
  }

  /** Runs the deliveries of the webhook once. */
  async deliver({ _id, workspaceId }: Pick<WebhookRecord, '_id' | 'workspaceId'>, signal = forever): Promise<void> {
    const partition = { partitionId: _id.toHexString(), workspaceId: workspaceId.toHexString() };
    await this.get(WebhookDeliveryService).run(partition, signal);
  }

  /** The deliveries of the webhook, oldest first. */
  async log({ _id, workspaceId }: Pick<WebhookRecord, '_id' | 'workspaceId'>): Promise<WebhookDeliveryRecord[]> {
    return this.deliveries.find({ workspaceId, webhookId: _id }).sort({ _id: 1 }).lean<WebhookDeliveryRecord[]>();
  }

  async stored({ _id, workspaceId }: Pick<WebhookRecord, '_id' | 'workspaceId'>): Promise<WebhookRecord> {
    return this.webhooks.findOne({ _id, workspaceId }).orFail().lean<WebhookRecord>().orFail();
  }

  /** When its partition is due; null without a scheduled run. */
  async nextAt({ _id, workspaceId }: Pick<WebhookRecord, '_id' | 'workspaceId'>): Promise<Date | null> {
    return (await this.partitionRecords.findOne({ _id, workspaceId }).lean())?.nextAt ?? null;
  }
}
