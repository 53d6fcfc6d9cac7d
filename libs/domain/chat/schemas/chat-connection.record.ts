import { Prop } from '@nestjs/mongoose';
import { Collection } from '@platform/database';
import { Schema, type Types } from 'mongoose';
import { CHAT_EVENTS, type ChatEvent } from '../chat-events';

/** `consent`: OAuth, a bot that posts in a chosen channel. `webhook`: an incoming webhook of one channel. */
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

/** The last error of the chat. */
export interface ChatProblem {
  /** The vendor's error code. */
  code: string;
  message: string;
  at: Date;
}

const nested = { _id: false, id: false };

/** The chat connection of a workspace with its settings. */
@Collection('chat_connections', {
  tenant: true,
  indexes: [
    { serves: 'the chat of a workspace, of which there is one', fields: { workspaceId: 1 }, unique: true },
    { serves: 'chats in which nothing was told for a day', fields: { status: 1, enabled: 1, checkedAt: 1, _id: 1 } },
    {
      serves: 'others that are let in by the same token',
      fields: { teamId: 1, authMethod: 1 },
      where: { teamId: { $gt: '' } },
    },
  ],
  impersonal: {
    'sealed credentials of the workspace’s own chat': ['secret'],
    'settings of the workspace’s own chat': ['teamId', 'teamName', 'channel', 'timeOfDay', 'timezone'],
    'codes of errors, in our words': ['lastError'],
  },
})
export class ChatConnectionRecord {
  _id!: Types.ObjectId;

  @Prop({ type: Schema.Types.ObjectId, required: true })
  workspaceId!: Types.ObjectId;

  @Prop({ type: String, enum: CHAT_WAYS, required: true })
  authMethod!: ChatWay;

  /** Sealed (`chatSecretOwner`): the bot's token, or the address of the webhook. */
  @Prop({ type: String, required: true })
  secret!: string;

  /** Empty when unknown. */
  @Prop({ type: String, default: '' })
  teamId!: string;

  @Prop({ type: String, default: '' })
  teamName!: string;

  /** null: none was chosen, or the webhook's channel is unknown. */
  @Prop({ type: new Schema({ id: String, name: String }, nested), default: null })
  channel!: ChatChannelChoice | null;

  /** Whether messages are posted. */
  @Prop({ type: Boolean, required: true })
  enabled!: boolean;

  @Prop({ type: [{ type: String, enum: CHAT_EVENTS }], required: true })
  events!: ChatEvent[];

  /** Only events of these campaigns are posted; empty: of all. */
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

  /** Whether the vendor accepted our credentials at the last request. */
  @Prop({ type: String, enum: CHAT_STATUSES, required: true })
  status!: ChatStatus;

  @Prop({ type: new Schema({ code: String, message: String, at: Date }, nested), default: null })
  lastError!: ChatProblem | null;

  /** When the vendor last accepted or rejected the credentials. */
  @Prop({ type: Date, required: true })
  checkedAt!: Date;

  @Prop({ type: Date, default: null })
  lastPostedAt!: Date | null;

  /** No post before then. */
  @Prop({ type: Date, default: null })
  cooldownUntil!: Date | null;

  /** Consecutive failed posts. */
  @Prop({ type: Number, required: true, default: 0 })
  failures!: number;

  /** Messages older than this are posted as one summary, after an outage. */
  @Prop({ type: Date, default: null })
  catchUpUntil!: Date | null;

  /** Grows with each change by a person: errors of an older revision do not count. */
  @Prop({ type: Number, required: true })
  revision!: number;

  @Prop({ type: Date })
  createdAt!: Date;

  /** When a person changed it last. */
  @Prop({ type: Date })
  updatedAt!: Date;
}
