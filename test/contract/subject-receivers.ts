import { randomBytes } from 'node:crypto';
import { SecretBoxService } from '@platform/secrets';
import { Types } from 'mongoose';
import { VALID_TOKEN_PREFIX } from '../../libs/adapters/chat/testing';
import { chatConnection } from '../../libs/domain/chat/testing';
import { newWebhook } from '../webhooks/webhooks';
import { CONTRACT } from './contract';
import { type ContractFixture } from './contract-fixture';
import { AT } from './subject-values';

/** @returns the secret of the connection */
export async function makeChatConnection(fixture: ContractFixture): Promise<string> {
  const { platform, workspace } = fixture;
  const token = `${VALID_TOKEN_PREFIX}${randomBytes(12).toString('hex')}`;
  const seal = (text: string, owner: string) => platform.app.get(SecretBoxService).seal(text, owner);
  const connection = chatConnection(new Types.ObjectId(workspace.workspaceId), seal, token);
  await fixture.model('ChatConnectionRecord').create(connection);
  return token;
}

/** A webhook without deliveries, and an inactive one with deliveries. */
export async function makeWebhooks(fixture: ContractFixture): Promise<string[]> {
  const { platform, workspace } = fixture;
  const delivered = await newWebhook(platform, workspace, { events: CONTRACT.events.names });
  const stats = { totalDelivered: 12, totalFailed: 3, lastDeliveredAt: AT };
  await fixture.put('WebhookRecord', { _id: delivered._id }, { stats, status: 'inactive' });
  return [delivered._id, (await newWebhook(platform, workspace))._id];
}
