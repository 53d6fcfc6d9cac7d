import { Prop } from '@nestjs/mongoose';
import { Collection } from '@platform/database';
import { Schema, type Types } from 'mongoose';

/** The intent of the other side. */
export const REPLY_LABELS = [
  'positive',
  'neutral',
  'negative',
  'out_of_office',
  'unsubscribe_request',
  'other',
] as const;
export type ReplyLabel = (typeof REPLY_LABELS)[number];

/** The source of a label. Rules and models do not change a person's label. */
export const LABEL_SOURCES = ['rules', 'llm', 'person'] as const;
export type LabelSource = (typeof LABEL_SOURCES)[number];

export type MessageDirection = 'received' | 'sent';

/** A reply that waits for a label of the language model. */
export interface LabelAsk {
  messageId: Types.ObjectId;
  /** When the next attempt is due. */
  dueAt: Date;
  /** Failed attempts. */
  attempts: number;
}

const text = { type: String, default: null };
const labelRequest = new Schema<LabelAsk>(
  {
    messageId: { type: Schema.Types.ObjectId, required: true },
    dueAt: { type: Date, required: true },
    attempts: { type: Number, required: true, default: 0 },
  },
  { _id: false, id: false },
);

/** The mail between one mailbox and one person. */
@Collection('conversations', {
  tenant: true,
  indexes: [
    {
      serves: 'one conversation per lead',
      fields: { workspaceId: 1, leadId: 1 },
      unique: true,
      where: { leadId: { $exists: true } },
    },
    {
      serves: 'one conversation per untracked thread',
      fields: { workspaceId: 1, mailboxId: 1, threadKey: 1 },
      unique: true,
      where: { threadKey: { $exists: true } },
    },
    {
      serves: 'the inbox, newest message first, tracked and untracked apart',
      fields: { workspaceId: 1, tracked: 1, lastMessageAt: -1, _id: -1 },
    },
    {
      serves: 'unread conversations',
      fields: { workspaceId: 1, tracked: 1, unread: 1, lastMessageAt: -1, _id: -1 },
    },
    { serves: 'the inbox by label', fields: { workspaceId: 1, tracked: 1, label: 1, lastMessageAt: -1, _id: -1 } },
    {
      serves: 'the inbox of a campaign',
      fields: { workspaceId: 1, campaignId: 1, lastMessageAt: -1, _id: -1 },
    },
    {
      serves: 'the inbox of a mailbox, and its erasure',
      fields: { workspaceId: 1, mailboxId: 1, tracked: 1, lastMessageAt: -1, _id: -1 },
    },
    { serves: 'all conversations with one address', fields: { workspaceId: 1, email: 1 } },
    { serves: 'the conversation of a provider thread', fields: { workspaceId: 1, mailboxId: 1, threadIds: 1 } },
    {
      serves: 'replies that wait for the language model, in all workspaces',
      fields: { 'labelRequest.dueAt': 1 },
      due: 'reply-label',
      where: { 'labelRequest.dueAt': { $gt: new Date(0) } },
    },
  ],
})
export class ConversationRecord {
  _id!: Types.ObjectId;

  @Prop({ type: Schema.Types.ObjectId, required: true })
  workspaceId!: Types.ObjectId;

  @Prop({ type: Schema.Types.ObjectId, required: true })
  mailboxId!: Types.ObjectId;

  /** Whether it belongs to a lead. */
  @Prop({ type: Boolean, required: true })
  tracked!: boolean;

  /** Absent in untracked conversations, as `leadId`. */
  @Prop({ type: Schema.Types.ObjectId })
  campaignId?: Types.ObjectId;

  @Prop({ type: Schema.Types.ObjectId })
  leadId?: Types.ObjectId;

  /** The deleted lead that it belonged to, or would belong to. Only in untracked conversations. */
  @Prop({ type: Schema.Types.ObjectId })
  formerLeadId?: Types.ObjectId;

  /** First Message-ID of the thread, or the fingerprint of its first message. Only in untracked conversations. */
  @Prop({ type: String })
  threadKey?: string;

  /** The other side, in normal form. */
  @Prop({ type: String, required: true })
  email!: string;

  @Prop({ type: String, default: '' })
  name!: string;

  /** Without `Re:` and the like. */
  @Prop({ type: String, default: '' })
  subject!: string;

  /** A received message is unread. */
  @Prop({ type: Boolean, required: true, default: false })
  unread!: boolean;

  @Prop({ type: String, enum: [...REPLY_LABELS, null], default: null })
  label!: ReplyLabel | null;

  @Prop({ type: String, enum: [...LABEL_SOURCES, null], default: null })
  labelledBy!: LabelSource | null;

  /** The rule, or the model's reason and name. */
  @Prop(text)
  labelReason!: string | null;

  /** Set while the last reply waits for a label of the model; until then the label of the rules applies. */
  @Prop({ type: labelRequest })
  labelRequest?: LabelAsk;

  @Prop({ type: Date, required: true })
  lastMessageAt!: Date;

  @Prop({ type: Date, default: null })
  lastReceivedAt!: Date | null;

  @Prop({ type: String, required: true })
  lastDirection!: MessageDirection;

  @Prop({ type: Number, required: true, default: 0 })
  messageCount!: number;

  /** Attachments of all messages: the index of the next one. */
  @Prop({ type: Number, required: true, default: 0 })
  attachmentCount!: number;

  /** Replies created in it, whatever their outcome. */
  @Prop({ type: Number, required: true, default: 0 })
  replyCount!: number;

  /** Beginning of the last message's visible text, at most 200 characters. */
  @Prop({ type: String, default: '' })
  preview!: string;

  /** The provider's thread ids (Gmail, Graph). */
  @Prop({ type: [String], default: [] })
  threadIds!: string[];

  @Prop({ type: Date })
  createdAt!: Date;

  @Prop({ type: Date })
  updatedAt!: Date;
}
