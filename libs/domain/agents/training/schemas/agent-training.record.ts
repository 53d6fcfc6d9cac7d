import { Prop } from '@nestjs/mongoose';
import { Collection } from '@platform/database';
import { Schema, type Types } from 'mongoose';
import { type CompanyProfile } from '../profile/company-profile';

export const TRAINING_STATUSES = ['pending', 'running', 'completed', 'failed', 'cancelled'] as const;
export type TrainingStatus = (typeof TRAINING_STATUSES)[number];

export interface TrainingProblem {
  code: string;
  message: string;
}

const plain = { _id: false, id: false } as const;
const text = { type: String, required: true } as const;
const count = { type: Number, required: true, default: 0 } as const;
const texts = { type: [String], required: true } as const;
const answerFields = new Schema({ question: text, answer: text }, plain);
const profileFields = new Schema(
  {
    summary: { type: String, default: '' },
    offerings: texts,
    audiences: texts,
    differentiators: texts,
    proof: texts,
    faq: { type: [answerFields], required: true },
  },
  plain,
);

/** A training: the reading of a website, and the profile made of it. */
@Collection('agent_trainings', {
  tenant: true,
  indexes: [
    { serves: 'the latest training of an agent', fields: { workspaceId: 1, agentId: 1, createdAt: -1, _id: -1 } },
    { serves: 'at most one open training per agent', fields: { agentId: 1 }, unique: true, where: { open: true } },
    {
      serves: 'the oldest open training of each workspace',
      fields: { open: 1, createdAt: 1 },
      where: { open: true },
    },
    {
      serves: 'the training in use of an agent',
      fields: { workspaceId: 1, agentId: 1 },
      unique: true,
      where: { isCurrent: true },
    },
    { serves: 'the number of trainings that a workspace started in a day', fields: { workspaceId: 1, createdAt: 1 } },
    { serves: 'forgets trainings', fields: { expiresAt: 1 }, expireAfterSeconds: 0 },
  ],
  impersonal: {
    'the workspace’s own website, and a summary of it without addresses of other people': ['url', 'profile'],
    'codes of errors, in our words': ['profileReason', 'error'],
  },
})
export class AgentTrainingRecord {
  _id!: Types.ObjectId;

  @Prop({ type: Schema.Types.ObjectId, required: true })
  workspaceId!: Types.ObjectId;

  @Prop({ type: Schema.Types.ObjectId, required: true })
  agentId!: Types.ObjectId;

  /** First page. */
  @Prop(text)
  url!: string;

  /** Only a host name was given: if https fails, http is tried. */
  @Prop({ type: Boolean, required: true, default: false })
  isSchemeGuessed!: boolean;

  @Prop({ ...text, enum: TRAINING_STATUSES, default: 'pending' })
  status!: TrainingStatus;

  /** Whether the training is pending or running. */
  @Prop({ type: Boolean, required: true, default: true })
  open!: boolean;

  /** Fence of the lease. Writes of a worker that has lost it are refused. */
  @Prop(count)
  fence!: number;

  /** Runs without progress: a training that crashes its workers fails. */
  @Prop(count)
  attempts!: number;

  /** Number of known addresses of the site. */
  @Prop(count)
  found!: number;

  @Prop(count)
  read!: number;

  /** Number of skipped pages; each has its reason. */
  @Prop(count)
  skipped!: number;

  /** Milliseconds spent on reading. */
  @Prop(count)
  spentMs!: number;

  /** Whether all pages are read. */
  @Prop({ type: Boolean, required: true, default: false })
  isRead!: boolean;

  /** Number of parts of the text in the profile; an interrupted training continues after them. */
  @Prop(count)
  partsWritten!: number;

  /** Complete after the training; null without a profile. */
  @Prop({ type: profileFields, default: null })
  profile!: CompanyProfile | null;

  /** Why a completed training has no profile: an error code. */
  @Prop({ type: String, default: null })
  profileReason!: string | null;

  /** Whether the agent uses this training. */
  @Prop({ type: Boolean, required: true, default: false })
  isCurrent!: boolean;

  @Prop({ type: new Schema({ code: String, message: String }, plain), default: null })
  error!: TrainingProblem | null;

  @Prop({ type: Date, default: null })
  startedAt!: Date | null;

  @Prop({ type: Date, default: null })
  completedAt!: Date | null;

  /** Deletion time. Absent while the training is open or in use. */
  @Prop({ type: Date })
  expiresAt?: Date;

  @Prop({ type: Date })
  createdAt!: Date;

  @Prop({ type: Date })
  updatedAt!: Date;
}
