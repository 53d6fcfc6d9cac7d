import { systemScope } from '@domain/access';
import { EventRelayService, EventsService, type EventType } from '@domain/events';
import { happening } from '../../libs/domain/events/testing';
import { WebhookWorkPartitionService, createSampleEvent } from '@domain/webhooks';
import { getModelToken } from '@nestjs/mongoose';
import { eventually } from '@testing';
import { type Model, Types } from 'mongoose';
import { type Platform, type SeededWorkspace } from '../harness';
import { dataOf } from '../workspaces/people';

export interface Webhook {
  _id: string;
  workspaceId: string;
  name: string;
  url: string;
  events: EventType[];
  secret: string;
  retryAttempts: number;
  timeoutMs: number;
  status: 'active' | 'inactive';
  createdBy: string;
  createdAt: string;
  updatedAt: string;
}

export interface ListedWebhook extends Webhook {
  stats: { totalDelivered: number; totalFailed: number; lastDeliveredAt: string | null };
}

export interface Delivery {
  _id: string;
  webhookId: string;
  eventId: string;
  event: EventType;
  state: 'pending' | 'delivered' | 'failed';
  attemptCount: number;
  lastStatus: number | null;
  lastError: { code: string; message: string } | null;
  nextAttemptAt: string | null;
  redeliveryRequestedAt: string | null;
  deliveredAt: string | null;
  createdAt: string;
}

export interface DeliveryDetail extends Delivery {
  body: string;
  attempts: {
    at: string;
    trigger: 'automatic' | 'manual';
    durationMs: number;
    status: number | null;
    error: { code: string; message: string } | null;
    response: string;
    truncated: boolean;
  }[];
}

export interface Replay {
  _id: string;
  webhookId: string;
  from: string;
  to: string;
  scope: 'failed' | 'all';
  scheduled: number;
  startedAt: string;
  completedAt: string | null;
}

export interface Health {
  webhookId: string;
  status: 'active' | 'inactive';
  disabledAt: string | null;
  disabledReason: 'person' | 'gone' | 'failing' | null;
  failingSince: string | null;
  cooldownUntil: string | null;
  previousSecretUntil: string | null;
  pending: number;
  oldestPendingAt: string | null;
  nextAttemptAt: string | null;
  lastError: { at: string; status: number | null; code: string; message: string } | null;
  stats: ListedWebhook['stats'];
  replay: Replay | null;
}

export const SECRET = expect.stringMatching(/^whsec_[A-Za-z0-9+/]{43}=$/) as unknown as string;

const LATE_MS = 5_000;

/** An address without a receiver. */
export const NOWHERE = 'http://127.0.0.1:9/hook';

/** A body that creates a webhook. */
export function subscribing(more: object = {}) {
  return { name: 'CRM', url: NOWHERE, events: ['email.sent', 'email.replied'], ...more };
}

/** A webhook in the response to its creation. */
export async function newWebhook(platform: Platform, workspace: SeededWorkspace, more: object = {}): Promise<Webhook> {
  return dataOf(await platform.api.as(workspace.key).post('/v1/webhooks').send(subscribing(more)));
}

/** Operations of a person on one webhook. */
export class Hook {
  private constructor(
    private readonly platform: Platform,
    private readonly workspace: SeededWorkspace,
    readonly made: Webhook,
  ) {}

  static async make(platform: Platform, workspace: SeededWorkspace, more: object = {}): Promise<Hook> {
    return new Hook(platform, workspace, await newWebhook(platform, workspace, more));
  }

  get path(): string {
    return `/v1/webhooks/${this.made._id}`;
  }

  get api() {
    return this.platform.api.as(this.workspace.key);
  }

  async read(): Promise<Webhook> {
    return dataOf(await this.api.get(this.path));
  }

  async update(changes: object): Promise<Webhook> {
    return dataOf(await this.api.patch(this.path).send(changes));
  }

  delete() {
    return this.api.with({ Authorization: `Bearer ${this.workspace.key}` }).delete(this.path);
  }

  async health(): Promise<Health> {
    return dataOf(await this.api.get(`${this.path}/health`));
  }

  async stats(): Promise<ListedWebhook['stats']> {
    const listed = dataOf<ListedWebhook[]>(await this.api.get('/v1/webhooks?limit=100'));
    return listed.find(({ _id }) => _id === this.made._id)!.stats;
  }

  /** Its deliveries, newest first. */
  async deliveries(query = ''): Promise<Delivery[]> {
    return dataOf(await this.api.get(`${this.path}/deliveries${query}`));
  }

  async delivery(deliveryId: string): Promise<DeliveryDetail> {
    return dataOf(await this.api.get(`${this.path}/deliveries/${deliveryId}`));
  }

  redeliver(deliveryId: string) {
    return this.api.post(`${this.path}/deliveries/${deliveryId}/redeliver`);
  }

  /** Records events in its workspace; returns their ids. */
  async happen(count = 1, type: EventType = 'email.sent', at?: Date): Promise<string[]> {
    return happened(this.platform, this.workspace, { count, type, ...(at && { at }) });
  }

  /** Relays all events, and makes all due deliveries. */
  async deliver(): Promise<void> {
    const relay = this.platform.app.get(EventRelayService, { strict: false });
    const { workspaceId } = this.workspace;
    const waiting = { workspaceId, relayAt: { $gt: new Date(0) } };
    await eventually('all events are relayed', async () => {
      await relay.relay();
      return (await recordsOf(this.platform, 'EventRecord').exists(waiting)) === null;
    });
    // Runs only the sweep of deliveries of the worker’s ticker.
    await this.platform.worker?.get(WebhookWorkPartitionService, { strict: false }).sweep();
    await this.platform.drain();
  }

  /** Advances the clock past the delivery’s next attempt by schedule, and makes that attempt. */
  async attemptNext(deliveryId: string): Promise<DeliveryDetail> {
    const { nextAttemptAt } = await this.delivery(deliveryId);
    const { clock } = this.platform;
    // The sweep finds late work.
    clock.advance(Date.parse(nextAttemptAt!) - clock.now().getTime() + LATE_MS);
    await this.deliver();
    return this.delivery(deliveryId);
  }
}

/** Time after `from`, in seconds. */
export function secondsAfter(from: Date | string, at: string | null): number {
  if (at === null) throw new Error('There is no such time');
  return Math.round((Date.parse(at) - new Date(from).getTime()) / 1_000);
}

let serial = 0;

/** Records events in the workspace; returns their ids in order. */
export async function happened(
  platform: Platform,
  { workspaceId }: Pick<SeededWorkspace, 'workspaceId'>,
  { count = 1, type = 'email.sent', at }: { count?: number; type?: EventType; at?: Date } = {},
): Promise<string[]> {
  const keys = Array.from({ length: count }, () => `test:${(serial += 1)}`);
  const events = keys.map((dedupeKey) => happening(type, dedupeKey, at ? { at } : {}));
  await platform.app.get(EventsService, { strict: false }).recordAll(systemScope(workspaceId), events);
  const found = await recordsOf(platform, 'EventRecord')
    .find({ workspaceId, dedupeKey: { $in: keys } }, { dedupeKey: 1 })
    .lean<{ _id: Types.ObjectId; dedupeKey: string }[]>();
  const ids = new Map(found.map(({ _id, dedupeKey }) => [dedupeKey, _id.toHexString()]));
  return keys.map((key) => ids.get(key)!);
}

/** Stored records of a kind, which a test reads or creates directly. */
export function recordsOf(platform: Platform, name: string): Model<Record<string, unknown>> {
  return platform.app.get<Model<Record<string, unknown>>>(getModelToken(name), { strict: false });
}

/** Stores a delivery as the fan-out creates it, with an outcome; returns its id. */
export async function storedDelivery(
  platform: Platform,
  webhook: Pick<Webhook, '_id' | 'workspaceId'>,
  more: Record<string, unknown> = {},
): Promise<string> {
  const [id] = await storedDeliveries(platform, webhook, 1, more);
  return id!;
}

/** Stores many of them. */
export async function storedDeliveries(
  platform: Platform,
  { _id, workspaceId }: Pick<Webhook, '_id' | 'workspaceId'>,
  count: number,
  more: Record<string, unknown> = {},
): Promise<string[]> {
  const records = Array.from({ length: count }, () => ({
    workspaceId: new Types.ObjectId(workspaceId),
    webhookId: new Types.ObjectId(_id),
    eventId: new Types.ObjectId(),
    type: 'email.sent',
    leadId: null,
    body: JSON.stringify(createSampleEvent((more['type'] as EventType | undefined) ?? 'email.sent', { workspaceId })),
    state: 'failed',
    attemptsMade: 1,
    attemptCount: 1,
    attempts: [],
    deliveredAt: null,
    countedAs: 'failed',
    createdAt: platform.clock.now(),
    ...more,
  }));
  const { insertedIds } = await recordsOf(platform, 'WebhookDeliveryRecord').collection.insertMany(records);
  return Object.values(insertedIds).map(String);
}
