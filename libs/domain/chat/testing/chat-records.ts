import { Types } from 'mongoose';
import { chatSecretOwner } from '../chat-secrets';
import { type ChatConnectionRecord } from '../schemas/chat-connection.record';
import { type ChatMessageRecord } from '../schemas/chat-message.record';

type NewConnection = Omit<ChatConnectionRecord, 'createdAt' | 'updatedAt'>;

/** A chat that was connected by consent, with a channel. */
export function chatConnection(
  workspaceId: Types.ObjectId,
  seal: (text: string, owner: string) => string,
  token: string,
): NewConnection {
  const _id = new Types.ObjectId();
  return {
    _id,
    workspaceId,
    authMethod: 'consent',
    secret: seal(token, chatSecretOwner(workspaceId, _id)),
    teamId: 'T0ACME',
    teamName: 'Acme',
    channel: { id: 'C0SALES', name: 'sales' },
    enabled: true,
    events: ['email.replied'],
    campaignIds: [],
    mode: 'instant',
    everyMinutes: null,
    timeOfDay: null,
    timezone: 'UTC',
    status: 'connected',
    lastError: null,
    checkedAt: new Date(),
    lastPostedAt: null,
    cooldownUntil: null,
    failures: 0,
    catchUpUntil: null,
    revision: 1,
  };
}

/** A message that the chat received. */
export function chatMessage({ _id, workspaceId }: NewConnection): ChatMessageRecord {
  const now = new Date();
  return {
    _id: new Types.ObjectId(),
    workspaceId,
    connectionId: _id,
    eventId: new Types.ObjectId(),
    event: 'email.replied',
    state: 'posted',
    postId: new Types.ObjectId(),
    attempts: 1,
    firstTriedAt: now,
    reason: null,
    postedAt: now,
    owned: false,
    createdAt: now,
  };
}
