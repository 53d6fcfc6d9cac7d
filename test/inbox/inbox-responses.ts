export interface Attachment {
  index: number;
  name: string;
  contentType: string;
  size: number;
  downloadUrl: string;
}

export interface Message {
  _id: string;
  kind: string;
  direction: string;
  at: string;
  subject: string;
  text: string | null;
  attachments: Attachment[];
  [field: string]: unknown;
}

export interface Conversation {
  _id: string;
  leadId: string | null;
  campaignId: string | null;
  mailboxId: string;
  subject: string;
  unread: boolean;
  label: string | null;
  [field: string]: unknown;
}

export interface ConversationDetail extends Conversation {
  messages: Message[];
  earlier: string | null;
}

export interface Page {
  data: Conversation[];
  pagination: { limit: number; total: number; hasMore: boolean; nextCursor: string | null };
}
