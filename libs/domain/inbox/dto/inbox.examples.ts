import { type UpdateConversationRequest } from './conversation.requests';

/** Bodies for the documentation, as somebody would send them. */
export const INBOX_EXAMPLES: { update: UpdateConversationRequest } = {
  update: { unread: false, label: 'positive' },
};
