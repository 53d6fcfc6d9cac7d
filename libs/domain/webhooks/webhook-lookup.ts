import { type WorkspaceScope } from '@domain/access';
import { parseId } from '@platform/database';
import { type Model } from 'mongoose';
import { type WebhookRecord } from './schemas/webhook.record';
import { unknownWebhook } from './webhook.errors';

/** The stored webhook of the workspace. @throws NOT_FOUND, also for a malformed id and another workspace's */
export async function findWebhook(
  webhooks: Model<WebhookRecord>,
  { workspaceId }: Pick<WorkspaceScope, 'workspaceId'>,
  webhookId: string,
): Promise<WebhookRecord> {
  const _id = parseId(webhookId);
  const record = _id && (await webhooks.findOne({ workspaceId, _id }).lean<WebhookRecord>());
  if (!record) throw unknownWebhook();
  return record;
}
