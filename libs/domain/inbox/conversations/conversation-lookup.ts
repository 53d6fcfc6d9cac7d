import { type WorkspaceScope } from '@domain/access';
import { parseId } from '@platform/database';
import { notFound } from '@platform/errors';
import { type Model } from 'mongoose';
import { type ConversationRecord } from '../schemas/conversation.record';

/** @throws NOT_FOUND, also for a malformed id and another workspace's conversation */
export async function requireConversation(
  conversations: Model<ConversationRecord>,
  { workspaceId }: Pick<WorkspaceScope, 'workspaceId'>,
  conversationId: string,
): Promise<ConversationRecord> {
  const _id = parseId(conversationId);
  const record = _id && (await conversations.findOne({ _id, workspaceId }).lean<ConversationRecord>());
  if (!record) throw notFound('Conversation');
  return record;
}
