import { systemScope } from '@domain/access';
import { EventsService, type EventType } from '@domain/events';
import { happening } from '../../libs/domain/events/testing';
import { createSampleEvent } from '@domain/webhooks';
import { getModelToken } from '@nestjs/mongoose';
import { type Model, Types } from 'mongoose';
import { type Platform, type SeededWorkspace } from '../harness';
import { type Webhook } from './webhook-responses';

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
