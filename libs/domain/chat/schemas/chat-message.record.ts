import { Prop } from '@nestjs/mongoose';
import { Collection } from '@platform/database';
import { Schema, type Types } from 'mongoose';
import { CHAT_EVENTS, type ChatEvent } from '../chat-events';

/**
 * waiting: not yet posted; posting: in progress; posted: the chat accepted it; unknown: no answer came; failed: given up.
 */
export const CHAT_MESSAGE_STATES = ['waiting', 'posting', 'posted', 'unknown', 'failed'] as const;
export type ChatMessageState = (typeof CHAT_MESSAGE_STATES)[number];

/** For how many seconds messages are kept: 30 days. */
const RETENTION_SECONDS = 30 * 86_400;

/** An event to post to a channel. It holds no text: that is composed at the time of the post. */
@Collection('chat_messages', {
  tenant: true,
  indexes: [
    { serves: 'one message per event', fields: { workspaceId: 1, eventId: 1 }, unique: true },
    {
      serves: 'what is due, longest due first',
      fields: { workspaceId: 1, connectionId: 1, dueAt: 1, _id: 1 },
      where: { dueAt: { $gt: new Date(0) } },
    },
    { serves: 'what was told, latest first', fields: { workspaceId: 1, connectionId: 1, createdAt: -1, _id: -1 } },
    {
      serves: 'messages of a state, latest first',
      fields: { workspaceId: 1, connectionId: 1, state: 1, createdAt: -1, _id: -1 },
    },
    { serves: 'forgets messages after 30 days', fields: { createdAt: 1 }, expireAfterSeconds: RETENTION_SECONDS },
  ],
  impersonal: {
    'errors of a chat, in our words': ['reason'],
  },
})
export class ChatMessageRecord {
  _id!: Types.ObjectId;

  @Prop({ type: Schema.Types.ObjectId, required: true })
  workspaceId!: Types.ObjectId;

  @Prop({ type: Schema.Types.ObjectId, required: true })
  connectionId!: Types.ObjectId;

  @Prop({ type: Schema.Types.ObjectId, required: true })
  eventId!: Types.ObjectId;

  @Prop({ type: String, enum: CHAT_EVENTS, required: true })
  event!: ChatEvent;

  @Prop({ type: String, enum: CHAT_MESSAGE_STATES, required: true })
  state!: ChatMessageState;

  /** When it is due, and its position in the queue; absent when it has ended. */
  @Prop({ type: Date })
  dueAt?: Date;

  /** The post that contained it. */
  @Prop({ type: Schema.Types.ObjectId, default: null })
  postId!: Types.ObjectId | null;

  /** Failed posts that contained it. */
  @Prop({ type: Number, required: true, default: 0 })
  attempts!: number;

  /** Absent before the first. */
  @Prop({ type: Date })
  firstTriedAt?: Date;

  /** Why it is not posted; null without an error. */
  @Prop({ type: String, default: null })
  reason!: string | null;

  @Prop({ type: Date, default: null })
  postedAt!: Date | null;

  /** For a message of unknown outcome: whether a later post has mentioned it. */
  @Prop({ type: Boolean, default: false })
  owned!: boolean;

  @Prop({ type: Date, required: true })
  createdAt!: Date;
}
