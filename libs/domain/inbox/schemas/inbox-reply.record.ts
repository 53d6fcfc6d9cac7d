import { type MailAddress } from '@adapters/mail';
import { type Actor } from '@domain/access';
import { actorFields } from '@domain/audit';
import { type LastReply } from '@domain/sends';
import { Prop } from '@nestjs/mongoose';
import { Collection } from '@platform/database';
import { Schema, type Types } from 'mongoose';
import { OPEN, REPLY_STATES, type ReplyState } from '../replies/reply-states';

const text = { type: String, default: null };
const address = new Schema<MailAddress>(
  { name: { type: String, default: '' }, address: String },
  { _id: false, id: false },
);

/** A reply by a member or an agent. Its content is fixed at creation. */
@Collection('inbox_replies', {
  tenant: true,
  indexes: [
    {
      serves: 'the waiting and claimed replies of a mailbox',
      fields: { workspaceId: 1, mailboxId: 1, dueAt: 1, _id: 1 },
      where: { state: { $in: [...OPEN] } },
    },
    {
      serves: 'replies whose resolution is due',
      fields: { resolveAt: 1 },
      due: 'send-resolution',
      where: { state: 'ambiguous' },
    },
    { serves: 'the replies of a conversation, and their erasure', fields: { workspaceId: 1, conversationId: 1 } },
    { serves: 'all replies to one address', fields: { workspaceId: 1, email: 1 } },
  ],
})
export class InboxReplyRecord {
  _id!: Types.ObjectId;

  @Prop({ type: Schema.Types.ObjectId, required: true })
  workspaceId!: Types.ObjectId;

  @Prop({ type: Schema.Types.ObjectId, required: true })
  conversationId!: Types.ObjectId;

  @Prop({ type: Schema.Types.ObjectId, required: true })
  mailboxId!: Types.ObjectId;

  @Prop({ type: address, required: true })
  from!: MailAddress;

  @Prop({ type: address, required: true })
  to!: MailAddress;

  /** The recipient in normal form. */
  @Prop({ type: String, required: true })
  email!: string;

  @Prop({ type: String, default: '' })
  subject!: string;

  /** null for a reply of plain text only. */
  @Prop(text)
  html!: string | null;

  @Prop({ type: String, default: '' })
  text!: string;

  /** With angle brackets; the same for every attempt. */
  @Prop({ type: String, required: true })
  messageId!: string;

  @Prop(text)
  inReplyTo!: string | null;

  @Prop({ type: [String], default: [] })
  references!: string[];

  /** The provider's thread id (Gmail). */
  @Prop(text)
  threadId!: string | null;

  @Prop({ type: String, enum: REPLY_STATES, required: true })
  state!: ReplyState;

  /** Fence of the mailbox lease that claimed it: late writes of an earlier lease have no effect. */
  @Prop({ type: Number, required: true, default: 0 })
  fence!: number;

  /** Attempts, the current one included. */
  @Prop({ type: Number, required: true, default: 0 })
  attempt!: number;

  /** Not sent before this time. */
  @Prop({ type: Date, required: true })
  dueAt!: Date;

  @Prop({ type: Date, default: null })
  claimedAt!: Date | null;

  @Prop({ type: Date, default: null })
  handoverAt!: Date | null;

  /** When the server accepted it, or when it was presumed sent. */
  @Prop({ type: Date, default: null })
  sentAt!: Date | null;

  /** For ambiguous replies: when the next resolution is due. */
  @Prop({ type: Date, default: null })
  resolveAt!: Date | null;

  /** The provider's draft, while the outcome is unknown. */
  @Prop(text)
  draftId!: string | null;

  @Prop(text)
  providerMessageId!: string | null;

  @Prop(text)
  providerThreadId!: string | null;

  @Prop({
    type: new Schema({ code: text, enhancedCode: text, command: text, response: String }, { _id: false, id: false }),
    default: null,
  })
  lastReply!: LastReply | null;

  /** Why it is not sent (yet), in one sentence. */
  @Prop(text)
  reason!: string | null;

  @Prop({ type: actorFields, required: true })
  createdBy!: Actor;

  /** The agent reply that it sends; absent for a member's reply. */
  @Prop({ type: Schema.Types.ObjectId })
  agentReplyId?: Types.ObjectId;

  /** Why it must not be sent any more; null while it may. A withdrawn reply is cancelled when it is next found waiting. */
  @Prop(text)
  withdrawn!: string | null;

  @Prop({ type: Date })
  createdAt!: Date;

  @Prop({ type: Date })
  updatedAt!: Date;
}
