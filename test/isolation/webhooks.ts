import { EVENT_TYPES } from '@domain/events';
import { type ApiClient } from '@testing';
import { type Platform } from '../harness';
import { storedDeliveries } from '../webhooks/webhook-records';
import { NOWHERE, subscribing } from '../webhooks/webhooks';
import { type CreatedRecords } from './created-records';

/** Two webhooks, and two deliveries of the first one. @returns the ids of the first ones */
export async function makeWebhooks(
  platform: Platform,
  records: CreatedRecords,
  api: ApiClient,
  workspaceId: string,
): Promise<{ webhookId: string; deliveryId: string }> {
  const { _id: webhookId } = await records.create(
    api,
    '/v1/webhooks',
    subscribing({ url: NOWHERE, events: EVENT_TYPES }),
  );
  await records.create(api, '/v1/webhooks', subscribing({ url: NOWHERE }));
  const [deliveryId = ''] = await storedDeliveries(platform, { _id: webhookId, workspaceId }, 2);
  return { webhookId, deliveryId };
}
