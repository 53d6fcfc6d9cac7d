import { type UpdateConversationRequest } from './conversation-requests.dto';

/** Examples for the documentation. */
export const INBOX_EXAMPLES: { update: UpdateConversationRequest } = {
  update: { unread: false, label: 'positive' },
};
