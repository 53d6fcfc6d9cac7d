import { parseId } from '@platform/database';
import { type Model } from 'mongoose';
import { type WebhookDeliveryRecord } from './schemas/webhook-delivery.record';
import { type WebhookRecord } from './schemas/webhook.record';
import { unknownDelivery } from './webhook.errors';

/** A delivery of the webhook. @throws NOT_FOUND, also for a malformed id and another webhook's */
export async function findDelivery(
  deliveries: Model<WebhookDeliveryRecord>,
  { _id: webhookId, workspaceId }: Pick<WebhookRecord, '_id' | 'workspaceId'>,
  deliveryId: string,
): Promise<WebhookDeliveryRecord> {
  const _id = parseId(deliveryId);
  const record = _id && (await deliveries.findOne({ _id, workspaceId, webhookId }).lean<WebhookDeliveryRecord>());
  if (!record) throw unknownDelivery();
  return record;
}
