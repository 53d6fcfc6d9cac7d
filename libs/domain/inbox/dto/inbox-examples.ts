import { type UpdateConversationRequest } from './conversation-requests.dto';

/** Bodies for the documentation, as somebody would send them. */
export const INBOX_EXAMPLES: { update: UpdateConversationRequest } = {
  update: { unread: false, label: 'positive' },
};
