import { type ReplyLabel } from '@domain/inbox';
import { Prop } from '@nestjs/mongoose';
import { Collection } from '@platform/database';
import { type SendingSchedule } from '@platform/time';
import { Schema, type Types } from 'mongoose';

/** Whether a person has to approve what an agent wrote by itself before it goes out. */
export const APPROVALS = ['required', 'auto'] as const;
export type Approval = (typeof APPROVALS)[number];

export interface AgentCompany {
  name: string;
  description: string;
  /** Host name in normal form (`parseWebsiteHost`); empty for none. */
  domain: string;
}

/** How it writes; empty where nobody said anything. */
export interface AgentPersona {
  tone: string;
  role: string;
  communicationStyle: string;
  customInstructions: string;
}

/** What it answers by itself. */
export interface AutonomousMode {
  enabled: boolean;
  /** Answers with these labels are replied to; never empty. */
  labels: ReplyLabel[];
  /** Minutes from the answer to the reply, at least. */
  delayMinutes: number;
  /** Replies and follow-ups that the agent hands over in one day. */
  dailyLimit: number;
  approval: Approval;
  /** When it may reply; null: at any time. */
  workingHours: SendingSchedule | null;
  /** Answers that hold one of these are left to people; as `normalizeStopWord` has them. */
  stopWords: string[];
}

/** What it writes when nobody answers its reply. */
export interface FollowupSettings {
  enabled: boolean;
  maxFollowups: number;
  /** Days from the reply, or the follow-up before. */
  delayDays: number;
}

const plain = { _id: false, id: false } as const;
const text = { type: String, default: '' } as const;

const companyFields = new Schema<AgentCompany>({ name: text, description: text, domain: text }, plain);
const personaFields = new Schema<AgentPersona>(
  { tone: text, role: text, communicationStyle: text, customInstructions: text },
  plain,
);
const hoursFields = new Schema<SendingSchedule>(
  { timezone: String, startTime: String, endTime: String, workingDays: [Number] },
  plain,
);
const autonomyFields = new Schema<AutonomousMode>(
  {
    enabled: { type: Boolean, required: true },
    labels: { type: [String], required: true },
    delayMinutes: { type: Number, required: true },
    dailyLimit: { type: Number, required: true },
    approval: { type: String, required: true, enum: APPROVALS },
    workingHours: { type: hoursFields, default: null },
    stopWords: { type: [String], required: true },
  },
  plain,
);
const followupFields = new Schema<FollowupSettings>(
  {
    enabled: { type: Boolean, required: true },
    maxFollowups: { type: Number, required: true },
    delayDays: { type: Number, required: true },
  },
  plain,
);

/** Writes replies for a workspace: what it knows of the company, how it writes and what it may do by itself. */
@Collection('agents', {
  tenant: true,
  indexes: [
    {
      serves: 'the agents of a workspace, latest first',
      fields: { workspaceId: 1, deletedAt: 1, createdAt: -1, _id: -1 },
    },
    {
      serves: 'at most one default per workspace',
      fields: { workspaceId: 1 },
      unique: true,
      where: { isDefault: true },
    },
    {
      serves: 'deleted agents of which something is still to be erased',
      fields: { deletedAt: 1, _id: 1 },
      where: { deletedAt: { $gt: new Date(0) } },
    },
  ],
})
export class AgentRecord {
  _id!: Types.ObjectId;

  @Prop({ type: Schema.Types.ObjectId, required: true })
  workspaceId!: Types.ObjectId;

  /** User id of who made it. */
  @Prop({ type: String, required: true })
  userId!: string;

  @Prop({ type: String, required: true })
  name!: string;

  @Prop({ type: companyFields, required: true })
  companyInfo!: AgentCompany;

  /** Host name of the website that it learns from, in normal form; null for none. */
  @Prop({ type: String, default: null })
  website!: string | null;

  @Prop({ type: personaFields, required: true })
  persona!: AgentPersona;

  @Prop({ type: autonomyFields, required: true })
  autonomousMode!: AutonomousMode;

  @Prop({ type: followupFields, required: true })
  followupSettings!: FollowupSettings;

  @Prop({ type: Boolean, required: true, default: false })
  isDefault!: boolean;

  /** An inactive agent drafts nothing and replies to nobody. */
  @Prop({ type: Boolean, required: true, default: true })
  isActive!: boolean;

  /**
   * One more with every change and with the deletion. Whoever begins something for the agent moves it on in the same
   * transaction (`AgentRepository.claim`), so that it meets a change or a deletion at the same time.
   */
  @Prop({ type: Number, required: true, default: 0 })
  revision!: number;

  /** Deleted: nobody sees it any more, and the worker erases what belongs to it. */
  @Prop({ type: Date, default: null })
  deletedAt!: Date | null;

  @Prop({ type: Date })
  createdAt!: Date;

  /** When a person changed it last. */
  @Prop({ type: Date })
  updatedAt!: Date;
}
