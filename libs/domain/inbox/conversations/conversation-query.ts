import { parseId, searchFilter } from '@platform/database';
import { Types } from 'mongoose';
import { type InboxQuery } from '../dto/conversation-requests.dto';

const SEARCHED = ['subject', 'name', 'email'] as const;
/** Stands for a malformed id: no record has it. */
const NO_ID = new Types.ObjectId('0'.repeat(24));

/** Converts the query to a filter, without the workspace. */
export function toConversationFilter(query: Omit<InboxQuery, 'limit' | 'cursor'>): Record<string, unknown> {
  const { unread, label, campaignId, mailboxId, tracked = 'true', search } = query;
  return {
    // Conversations of a campaign are always tracked, and the index by campaign does not have the field.
    ...(campaignId === undefined || tracked === 'false' ? { tracked: tracked === 'true' } : {}),
    ...(unread === undefined ? {} : { unread: unread === 'true' }),
    ...(label === undefined ? {} : { label }),
    ...(campaignId === undefined ? {} : { campaignId: parseId(campaignId) ?? NO_ID }),
    ...(mailboxId === undefined ? {} : { mailboxId: parseId(mailboxId) ?? NO_ID }),
    ...searchFilter(search, SEARCHED),
  };
}
