import { parseId, searchFilter } from '@platform/database';
import { Types } from 'mongoose';
import { type InboxQuery } from '../dto/conversation-requests.dto';

const SEARCHED = ['subject', 'name', 'email'] as const;
/** Stands for a malformed id: nothing has it. */
const NOTHING = new Types.ObjectId('0'.repeat(24));

/** The conditions as a filter, without the workspace. */
export function conversationFilter(query: Omit<InboxQuery, 'limit' | 'cursor'>): Record<string, unknown> {
  const { unread, label, campaignId, mailboxId, tracked = 'true', search } = query;
  return {
    // Those of a campaign are tracked; its index knows nothing of that.
    ...(campaignId === undefined || tracked === 'false' ? { tracked: tracked === 'true' } : {}),
    ...(unread === undefined ? {} : { unread: unread === 'true' }),
    ...(label === undefined ? {} : { label }),
    ...(campaignId === undefined ? {} : { campaignId: parseId(campaignId) ?? NOTHING }),
    ...(mailboxId === undefined ? {} : { mailboxId: parseId(mailboxId) ?? NOTHING }),
    ...searchFilter(search, SEARCHED),
  };
}
