import { type MailAddress } from '@adapters/mail';
import { Prop } from '@nestjs/mongoose';
import { Collection } from '@platform/database';
import { Schema, type Types } from 'mongoose';
import { type MessageDirection } from './conversation.record';

/**
 * Received: `reply` of a person, `auto_reply`, `bounce`, `delayed` (not given up yet), `complaint`. Sent: `manual` reply by a
 * person, `agent` reply. Campaign emails are sends and are not kept twice.
 */
export const MESSAGE_KINDS = ['reply', 'auto_reply', 'bounce', 'delayed', 'complaint', 'manual', 'agent'] as const;
export type MessageKind = (typeof MESSAGE_KINDS)[number];

/** An attachment of a message. Its content stays on the mail server and is fetched on request. */
export interface MessageAttachment {
  name: string;
  contentType: string;
  /** Bytes after decoding; an estimate for IMAP. */
  size: number;
  /** Index within its message, from 0 (`MailSession.fetchAttachment`). */
  index: number;
}

const text = { type: String, default: null };
const address = new Schema<MailAddress>(
  { name: { type: String, default: '' }, address: { type: String, default: '' } },
  { _id: false, id: false },
);
const attachment = new Schema<MessageAttachment>(
  {
    name: { type: String, default: '' },
    contentType: { type: String, required: true },
    size: { type: Number, required: true },
    index: { type: Number, required: true },
  },
  { _id: false, id: false },
);

/** One message of a conversation. */
@Collection('conversation_messages', {
  tenant: true,
  indexes: [
    {
      serves: 'the messages of a conversation, oldest first',
      fields: { workspaceId: 1, conversationId: 1, at: 1, _id: 1 },
    },
    {
      serves: 'a received message is in a conversation once',
      fields: { workspaceId: 1, mailboxMessageId: 1 },
      unique: true,
      where: { mailboxMessageId: { $exists: true } },
    },
    {
      serves: 'a reply of ours is in a conversation once',
      fields: { workspaceId: 1, replyId: 1 },
      unique: true,
      where: { replyId: { $exists: true } },
    },
    {
      serves: 'the message of an attachment',
      fields: { workspaceId: 1, conversationId: 1, firstAttachment: 1 },
      where: { firstAttachment: { $exists: true } },
    },
    { serves: 'the message that another one refers to', fields: { workspaceId: 1, messageId: 1 } },
  ],
})
export class ConversationMessageRecord {
  _id!: Types.ObjectId;

  @Prop({ type: Schema.Types.ObjectId, required: true })
  workspaceId!: Types.ObjectId;

  @Prop({ type: Schema.Types.ObjectId, required: true })
  conversationId!: Types.ObjectId;

  @Prop({ type: Schema.Types.ObjectId, required: true })
  mailboxId!: Types.ObjectId;

  @Prop({ type: String, required: true })
  direction!: MessageDirection;

  @Prop({ type: String, enum: MESSAGE_KINDS, required: true })
  kind!: MessageKind;

  /** When it was received or sent. */
  @Prop({ type: Date, required: true })
  at!: Date;

  /** The source: a message of the mailbox, or a reply of ours. */
  @Prop({ type: Schema.Types.ObjectId })
  mailboxMessageId?: Types.ObjectId;

  @Prop({ type: Schema.Types.ObjectId })
  replyId?: Types.ObjectId;

  /** With angle brackets. */
  @Prop(text)
  messageId!: string | null;

  @Prop(text)
  inReplyTo!: string | null;

  @Prop({ type: [String], default: [] })
  references!: string[];

  @Prop({ type: address, default: null })
  from!: MailAddress | null;

  @Prop({ type: [address], default: [] })
  to!: MailAddress[];

  @Prop({ type: [address], default: [] })
  cc!: MailAddress[];

  /** Reply-To addresses (RFC 5322, 3.6.2); may be empty. */
  @Prop({ type: [address], default: [] })
  replyTo!: MailAddress[];

  @Prop({ type: String, default: '' })
  subject!: string;

  /** The author's new text, without quotes and signature. */
  @Prop({ type: String, default: '' })
  text!: string;

  /** The whole text, quotes included; at most about 64 000 characters. */
  @Prop({ type: String, default: '' })
  fullText!: string;

  /** Sanitised for display, without our pixel. */
  @Prop(text)
  html!: string | null;

  /** The rule that classified it. */
  @Prop(text)
  rule!: string | null;

  @Prop({ type: [attachment], default: [] })
  attachments!: MessageAttachment[];

  /**
   * Index of its first attachment in the conversation. Assigned when the message is added, so that a late earlier message does
   * not change it. Absent without attachments.
   */
  @Prop({ type: Number })
  firstAttachment?: number;

  /**
   * The provider's message id for fetching attachments; null when they cannot be fetched (IMAP mailboxes, sent messages without
   * a captured id).
   */
  @Prop(text)
  providerMessageId!: string | null;

  @Prop({ type: Date })
  createdAt!: Date;
}
