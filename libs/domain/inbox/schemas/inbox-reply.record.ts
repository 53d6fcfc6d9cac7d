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

/** An answer that a person or an agent has written, on its way to who wrote to us. What it says is fixed when it is created. */
@Collection('inbox_replies', {
  tenant: true,
  indexes: [
    {
      serves: 'what a mailbox has to send and what it is sending',
      fields: { workspaceId: 1, mailboxId: 1, dueAt: 1, _id: 1 },
      where: { state: { $in: [...OPEN] } },
    },
    {
      serves: 'replies whose outcome is to be found out',
      fields: { lookAt: 1 },
      due: 'send-resolution',
      where: { state: 'ambiguous' },
    },
    { serves: 'the replies of a conversation, and their erasure', fields: { workspaceId: 1, conversationId: 1 } },
    { serves: 'all that was written to one person', fields: { workspaceId: 1, email: 1 } },
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

  /** The recipient, in its normal form. */
  @Prop({ type: String, required: true })
  email!: string;

  @Prop({ type: String, default: '' })
  subject!: string;

  /** null where only text was written. */
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

  /** The provider's conversation that it belongs into (Gmail). */
  @Prop(text)
  threadId!: string | null;

  @Prop({ type: String, enum: REPLY_STATES, required: true })
  state!: ReplyState;

  /** Number of the turn that holds it: a late write of an earlier one is without effect. */
  @Prop({ type: Number, required: true, default: 0 })
  fence!: number;

  /** Attempts that count, the present one included. */
  @Prop({ type: Number, required: true, default: 0 })
  attempt!: number;

  /** Not before this. */
  @Prop({ type: Date, required: true })
  dueAt!: Date;

  @Prop({ type: Date, default: null })
  claimedAt!: Date | null;

  @Prop({ type: Date, default: null })
  wireAt!: Date | null;

  /** When the server accepted it, or when it counted as sent. */
  @Prop({ type: Date, default: null })
  sentAt!: Date | null;

  /** Ambiguous ones: when to look for it next. */
  @Prop({ type: Date, default: null })
  lookAt!: Date | null;

  /** The vendor's draft, while it is not known whether it was sent. */
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
  words!: LastReply | null;

  /** Why it is not sent (yet): one sentence. */
  @Prop(text)
  reason!: string | null;

  @Prop({ type: actorFields, required: true })
  createdBy!: Actor;

  /** The agent's answer that it is; absent when a person wrote it. */
  @Prop({ type: Schema.Types.ObjectId })
  agentReplyId?: Types.ObjectId;

  /** Why it must not be sent any more, in whatever state it is: who finds it waiting cancels it. null while it may be. */
  @Prop(text)
  withdrawn!: string | null;

  @Prop({ type: Date })
  createdAt!: Date;

  @Prop({ type: Date })
  updatedAt!: Date;
}
