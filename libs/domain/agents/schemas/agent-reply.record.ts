import { type Actor } from '@domain/access';
import { actorFields } from '@domain/audit';
import { REPLY_LABELS, type ReplyLabel } from '@domain/inbox';
import { Prop } from '@nestjs/mongoose';
import { Collection } from '@platform/database';
import { Schema, type Types } from 'mongoose';
import {
  AGENT_REPLY_STATES,
  type AgentReplyState,
  REPLY_CAUSES,
  type ReplyCause,
} from '../autonomy/agent-reply-states';

const text = { type: String, default: null } as const;
const date = { type: Date, default: null } as const;
const DUE = { dueAt: { $gt: new Date(0) } };

/** A reply or follow-up of an agent in a conversation. */
@Collection('agent_replies', {
  tenant: true,
  indexes: [
    {
      serves: 'uniqueness of the reply to a message and of each follow-up',
      fields: { workspaceId: 1, answeredId: 1, position: 1 },
      unique: true,
    },
    {
      serves: 'workspaces with due replies',
      fields: { dueAt: 1, workspaceId: 1 },
      due: 'agent-reply',
      where: DUE,
    },
    { serves: 'due replies of a workspace', fields: { workspaceId: 1, dueAt: 1, _id: 1 }, where: DUE },
    { serves: 'the list, latest first', fields: { workspaceId: 1, createdAt: -1, _id: -1 } },
    { serves: 'the list of one state', fields: { workspaceId: 1, state: 1, createdAt: -1, _id: -1 } },
    {
      serves: 'the list of one agent, what is withdrawn with it, and its erasure',
      fields: { workspaceId: 1, agentId: 1, createdAt: -1, _id: -1 },
    },
    {
      serves: 'the replies that an agent has handed over in a day',
      fields: { workspaceId: 1, agentId: 1, handedDay: 1 },
      where: { handedDay: { $gt: '' } },
    },
    { serves: 'the replies of a conversation', fields: { workspaceId: 1, conversationId: 1 } },
    { serves: 'the replies to one person', fields: { workspaceId: 1, email: 1 } },
  ],
})
export class AgentReplyRecord {
  _id!: Types.ObjectId;

  @Prop({ type: Schema.Types.ObjectId, required: true })
  workspaceId!: Types.ObjectId;

  @Prop({ type: Schema.Types.ObjectId, required: true })
  agentId!: Types.ObjectId;

  @Prop({ type: Schema.Types.ObjectId, required: true })
  conversationId!: Types.ObjectId;

  @Prop({ type: Schema.Types.ObjectId, required: true })
  leadId!: Types.ObjectId;

  /** The lead's address, in normal form. */
  @Prop({ type: String, required: true })
  email!: string;

  /** The answered message, and its time. */
  @Prop({ type: Schema.Types.ObjectId, required: true })
  answeredId!: Types.ObjectId;

  @Prop({ type: Date, required: true })
  answeredAt!: Date;

  /** 0: the reply; from 1 on: its follow-ups. */
  @Prop({ type: Number, required: true })
  position!: number;

  /** The label of the conversation for which it is written. */
  @Prop({ type: String, enum: REPLY_LABELS, required: true })
  label!: ReplyLabel;

  @Prop({ type: String, enum: AGENT_REPLY_STATES, required: true })
  state!: AgentReplyState;

  @Prop({ type: String, enum: [...REPLY_CAUSES, null], default: null })
  cause!: ReplyCause | null;

  @Prop(text)
  reason!: string | null;

  /** The time of the next step of the worker; null without one. */
  @Prop(date)
  dueAt!: Date | null;

  /** Neither written nor sent after this time. */
  @Prop({ type: Date, required: true })
  expiresAt!: Date;

  /** Number of attempts to write it. */
  @Prop({ type: Number, required: true, default: 0 })
  attempts!: number;

  /** The text to send; null before it is written. */
  @Prop(text)
  text!: string | null;

  /** The original text in `agent_texts`. */
  @Prop({ type: Schema.Types.ObjectId, default: null })
  textId!: Types.ObjectId | null;

  @Prop(text)
  model!: string | null;

  @Prop(text)
  promptVersion!: string | null;

  /** Cost of writing it, in the currency of the operator's prices. */
  @Prop({ type: Number, required: true, default: 0 })
  cost!: number;

  /** The last person who approved, rejected or edited it. */
  @Prop({ type: actorFields, default: null })
  decidedBy!: Actor | null;

  /** Time of the approval or rejection; an edit is neither. */
  @Prop(date)
  decidedAt!: Date | null;

  /** The reply of the inbox after the handover. */
  @Prop({ type: Schema.Types.ObjectId, default: null })
  replyId!: Types.ObjectId | null;

  @Prop(date)
  handedAt!: Date | null;

  /** YYYY-MM-DD in the time zone of the agent's working hours. */
  @Prop(text)
  handedDay!: string | null;

  @Prop(date)
  sentAt!: Date | null;

  @Prop({ type: Date })
  createdAt!: Date;

  @Prop({ type: Date })
  updatedAt!: Date;
}
