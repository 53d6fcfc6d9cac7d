import { type ReplyLabel } from '@domain/inbox';
import { Prop } from '@nestjs/mongoose';
import { Collection } from '@platform/database';
import { type SendingSchedule } from '@platform/time';
import { Schema, type Types } from 'mongoose';

/** Whether a person has to approve autonomous replies. */
export const APPROVALS = ['required', 'auto'] as const;
export type Approval = (typeof APPROVALS)[number];

export interface AgentCompany {
  name: string;
  description: string;
  /** Host name in normal form (`parseWebsiteHost`); empty for none. */
  domain: string;
}

/** How the agent writes; empty without instructions. */
export interface AgentPersona {
  tone: string;
  role: string;
  communicationStyle: string;
  customInstructions: string;
}

/** The messages that the agent answers without approval or request. */
export interface AutonomousMode {
  enabled: boolean;
  /** Labels of answered messages; never empty. */
  labels: ReplyLabel[];
  /** Minimum minutes between a message and its reply. */
  delayMinutes: number;
  /** Maximum number of replies and follow-ups per day. */
  dailyLimit: number;
  approval: Approval;
  /** Working hours; null: at any time. */
  workingHours: SendingSchedule | null;
  /** Messages with one of these are left to people; normalized by `normalizeStopWord`. */
  stopWords: string[];
}

/** Follow-ups to unanswered replies. */
export interface FollowupSettings {
  enabled: boolean;
  maxFollowups: number;
  /** Days after the reply or the previous follow-up. */
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

/** An AI writer of a workspace: company, style and autonomy. */
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
      serves: 'deleted agents whose data is still to be erased',
      fields: { deletedAt: 1, _id: 1 },
      where: { deletedAt: { $gt: new Date(0) } },
    },
  ],
  impersonal: {
    'descriptions of the workspace itself and of its style': ['name', 'companyInfo', 'website', 'persona'],
    settings: ['autonomousMode'],
    'a user of the workspace': ['userId'],
  },
})
export class AgentRecord {
  _id!: Types.ObjectId;

  @Prop({ type: Schema.Types.ObjectId, required: true })
  workspaceId!: Types.ObjectId;

  /** User id of its creator. */
  @Prop({ type: String, required: true })
  userId!: string;

  @Prop({ type: String, required: true })
  name!: string;

  @Prop({ type: companyFields, required: true })
  companyInfo!: AgentCompany;

  /** Host name of the training website, in normal form; null without one. */
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

  /** An inactive agent writes no drafts and no replies. */
  @Prop({ type: Boolean, required: true, default: true })
  isActive!: boolean;

  /**
   * Grows with each change and with the deletion. A transaction that starts work for the agent increments it
   * (`AgentRepository.claim`), so that it conflicts with a concurrent change or deletion.
   */
  @Prop({ type: Number, required: true, default: 0 })
  revision!: number;

  /** Time of the deletion: the agent is invisible, and the worker erases its data. */
  @Prop({ type: Date, default: null })
  deletedAt!: Date | null;

  @Prop({ type: Date })
  createdAt!: Date;

  /** Time of the last change by a person. */
  @Prop({ type: Date })
  updatedAt!: Date;
}
