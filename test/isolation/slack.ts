import { randomBytes } from 'node:crypto';
import { systemActor } from '@domain/access';
import { getModelToken } from '@nestjs/mongoose';
import { SecretBoxService } from '@platform/secrets';
import { type Model, Types } from 'mongoose';
import { VALID_TOKEN_PREFIX } from '../../libs/adapters/chat/testing';
import { chatConnection, chatMessage } from '../../libs/domain/chat/testing';
import { type Platform } from '../harness';

/** A Slack connection with two posts, and a pending consent. @returns its token, and the session of the consent */
export async function makeSlack(
  platform: Platform,
  workspaceId: string,
): Promise<{ token: string; sessionId: string }> {
  const token = `${VALID_TOKEN_PREFIX}${randomBytes(12).toString('hex')}`;
  const connection = chatConnection(
    new Types.ObjectId(workspaceId),
    (text, owner) => platform.app.get(SecretBoxService).seal(text, owner),
    token,
  );
  const model = (name: string) => platform.app.get<Model<unknown>>(getModelToken(name), { strict: false });
  await model('ChatConnectionRecord').create(connection);
  await model('ChatMessageRecord').create([chatMessage(connection), chatMessage(connection)]);
  const consent = {
    _id: new Types.ObjectId(),
    workspaceId: connection.workspaceId,
    name: 'slack',
    status: 'pending',
    stateHash: randomBytes(32).toString('hex'),
    startedBy: systemActor('system'),
    expiresAt: platform.clock.in(600_000),
  };
  await model('OAuthConsentRecord').create(consent);
  return { token, sessionId: consent._id.toHexString() };
}
