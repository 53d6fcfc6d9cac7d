import { Prop } from '@nestjs/mongoose';
import { Collection } from '@platform/database';
import { Schema, type Types } from 'mongoose';

/** What the other side wants, as far as its answer says. */
export const REPLY_LABELS = [
  'positive',
  'neutral',
  'negative',
  'out_of_office',
  'unsubscribe_request',
  'other',
] as const;
export type ReplyLabel = (typeof REPLY_LABELS)[number];

/** Who gave a label. What a person said, no rule and no model changes. */
export const LABEL_SOURCES = ['rules', 'llm', 'person'] as const;
export type LabelSource = (typeof LABEL_SOURCES)[number];

export type MessageDirection = 'received' | 'sent';

/** The answer that the language model is to label. */
export interface LabelAsk {
  messageId: Types.ObjectId;
  /** When it is asked, or asked again. */
  dueAt: Date;
  /** Those that failed. */
  attempts: number;
}

const text = { type: String, default: null };
const labelAsk = new Schema<LabelAsk>(
  {
    messageId: { type: Schema.Types.ObjectId, required: true },
    dueAt: { type: Date, required: true },
    attempts: { type: Number, required: true, default: 0 },
  },
  { _id: false, id: false },
);

/** What one mailbox and one person have written to each other. */
@Collection('conversations', {
  tenant: true,
  indexes: [
    {
      serves: 'that a lead has one conversation',
      fields: { workspaceId: 1, leadId: 1 },
      unique: true,
      where: { leadId: { $exists: true } },
    },
    {
      serves: 'that an untracked thread is one conversation',
      fields: { workspaceId: 1, mailboxId: 1, threadKey: 1 },
      unique: true,
      where: { threadKey: { $exists: true } },
    },
    {
      serves: 'the inbox, newest message first: what answers us, and apart from it what answers nothing of ours',
      fields: { workspaceId: 1, tracked: 1, lastMessageAt: -1, _id: -1 },
    },
    {
      serves: 'what nobody has looked at',
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
    { serves: 'all that was written with one person', fields: { workspaceId: 1, email: 1 } },
    { serves: 'the conversation of a thread of the provider', fields: { workspaceId: 1, mailboxId: 1, threadIds: 1 } },
    {
      serves: 'answers that wait for the language model, in all workspaces',
      fields: { 'labelAsk.dueAt': 1 },
      due: 'reply-label',
      where: { 'labelAsk.dueAt': { $gt: new Date(0) } },
    },
  ],
})
export class ConversationRecord {
  _id!: Types.ObjectId;

  @Prop({ type: Schema.Types.ObjectId, required: true })
  workspaceId!: Types.ObjectId;

  @Prop({ type: Schema.Types.ObjectId, required: true })
  mailboxId!: Types.ObjectId;

  /** Whether it is with a lead. */
  @Prop({ type: Boolean, required: true })
  tracked!: boolean;

  /** Absent for mail that answers nothing of ours, as `leadId`. */
  @Prop({ type: Schema.Types.ObjectId })
  campaignId?: Types.ObjectId;

  @Prop({ type: Schema.Types.ObjectId })
  leadId?: Types.ObjectId;

  /** The lead that it was with, or would be, if that had not gone with its campaign. Only untracked ones have one. */
  @Prop({ type: Schema.Types.ObjectId })
  formerLeadId?: Types.ObjectId;

  /** Names an untracked thread: the Message-ID that it began with, or the fingerprint of its first message. Only those have one. */
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

  /** Something has come in that nobody has looked at. */
  @Prop({ type: Boolean, required: true, default: false })
  unread!: boolean;

  @Prop({ type: String, enum: [...REPLY_LABELS, null], default: null })
  label!: ReplyLabel | null;

  @Prop({ type: String, enum: [...LABEL_SOURCES, null], default: null })
  labelledBy!: LabelSource | null;

  /** The rule; for a model which of the known reasons it gave, and its name. */
  @Prop(text)
  labelReason!: string | null;

  /** Absent unless the label of the last answer is still to be given by the language model; that of the rules stands meanwhile. */
  @Prop({ type: labelAsk })
  labelAsk?: LabelAsk;

  @Prop({ type: Date, required: true })
  lastMessageAt!: Date;

  @Prop({ type: Date, default: null })
  lastReceivedAt!: Date | null;

  @Prop({ type: String, required: true })
  lastDirection!: MessageDirection;

  @Prop({ type: Number, required: true, default: 0 })
  messageCount!: number;

  /** Attachments of all its messages: the number that the next one gets. */
  @Prop({ type: Number, required: true, default: 0 })
  attachmentCount!: number;

  /** Replies that were begun in it, whatever became of them. */
  @Prop({ type: Number, required: true, default: 0 })
  replyCount!: number;

  /** Beginning of the visible text of the last message, at most 200 characters. */
  @Prop({ type: String, default: '' })
  preview!: string;

  /** The provider's conversations (Gmail, Graph). */
  @Prop({ type: [String], default: [] })
  threadIds!: string[];

  @Prop({ type: Date })
  createdAt!: Date;

  @Prop({ type: Date })
  updatedAt!: Date;
}
