import { Prop } from '@nestjs/mongoose';
import { Collection } from '@platform/database';
import { Schema, type Types } from 'mongoose';
import { CHAT_EVENTS, type ChatEvent } from '../chat-events';

/** `consent`: OAuth, a bot that posts in a chosen channel. `webhook`: an address that stands for one channel. */
export const CHAT_WAYS = ['consent', 'webhook'] as const;
export type ChatWay = (typeof CHAT_WAYS)[number];

export const CHAT_STATUSES = ['connected', 'disconnected'] as const;
export type ChatStatus = (typeof CHAT_STATUSES)[number];

/** `instant`: as things happen. `digest`: together, at times. */
export const CHAT_MODES = ['instant', 'digest'] as const;
export type ChatMode = (typeof CHAT_MODES)[number];

export interface ChatChannelChoice {
  id: string;
  /** Without a hash sign. */
  name: string;
}

/** What the chat last refused, and when. */
export interface ChatProblem {
  /** The vendor's word for it. */
  code: string;
  message: string;
  at: Date;
}

const nested = { _id: false, id: false };

/** The chat of a workspace, and what is said there. */
@Collection('chat_connections', {
  tenant: true,
  indexes: [
    { serves: 'the chat of a workspace, of which there is one', fields: { workspaceId: 1 }, unique: true },
    { serves: 'chats in which nothing was told for a day', fields: { status: 1, enabled: 1, checkedAt: 1, _id: 1 } },
    {
      serves: 'others that are let in by the same token',
      fields: { teamId: 1, way: 1 },
      where: { teamId: { $gt: '' } },
    },
  ],
})
export class ChatConnectionRecord {
  _id!: Types.ObjectId;

  @Prop({ type: Schema.Types.ObjectId, required: true })
  workspaceId!: Types.ObjectId;

  @Prop({ type: String, enum: CHAT_WAYS, required: true })
  way!: ChatWay;

  /** Sealed (`chatSecretOwner`): the bot's token, or the address of the webhook. */
  @Prop({ type: String, required: true })
  secret!: string;

  /** Empty where the vendor does not tell. */
  @Prop({ type: String, default: '' })
  teamId!: string;

  @Prop({ type: String, default: '' })
  teamName!: string;

  /** null: none was chosen, or a webhook stands for one that the vendor does not tell. */
  @Prop({ type: new Schema({ id: String, name: String }, nested), default: null })
  channel!: ChatChannelChoice | null;

  /** Whether people want it to be told things. */
  @Prop({ type: Boolean, required: true })
  enabled!: boolean;

  @Prop({ type: [{ type: String, enum: CHAT_EVENTS }], required: true })
  events!: ChatEvent[];

  /** What belongs to other campaigns is not told; empty: nothing is left out. */
  @Prop({ type: [Schema.Types.ObjectId], default: [] })
  campaignIds!: Types.ObjectId[];

  @Prop({ type: String, enum: CHAT_MODES, required: true })
  mode!: ChatMode;

  /** Of a digest that comes several times a day; null for others. */
  @Prop({ type: Number, default: null })
  everyMinutes!: number | null;

  /** HH:MM, of a daily digest; null for others. */
  @Prop({ type: String, default: null })
  timeOfDay!: string | null;

  @Prop({ type: String, required: true })
  timezone!: string;

  /** Whether the vendor lets us in, as far as anybody has seen. */
  @Prop({ type: String, enum: CHAT_STATUSES, required: true })
  status!: ChatStatus;

  @Prop({ type: new Schema({ code: String, message: String, at: Date }, nested), default: null })
  lastError!: ChatProblem | null;

  /** When the vendor was last seen to let us in, or to refuse. */
  @Prop({ type: Date, required: true })
  checkedAt!: Date;

  @Prop({ type: Date, default: null })
  lastPostedAt!: Date | null;

  /** Nothing is posted before. */
  @Prop({ type: Date, default: null })
  restUntil!: Date | null;

  /** Posts in a row that came to nothing. */
  @Prop({ type: Number, required: true, default: 0 })
  failures!: number;

  /** What has waited since before then is told together: nothing could be posted for a time. */
  @Prop({ type: Date, default: null })
  catchUpUntil!: Date | null;

  /** Grows with each change by a person: what an older one met says nothing of this one. */
  @Prop({ type: Number, required: true })
  revision!: number;

  @Prop({ type: Date })
  createdAt!: Date;

  /** When a person changed it last. */
  @Prop({ type: Date })
  updatedAt!: Date;
}
