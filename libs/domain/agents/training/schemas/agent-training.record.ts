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

/** An agent reads a website, and what it made of it. */
@Collection('agent_trainings', {
  tenant: true,
  indexes: [
    { serves: 'the latest training of an agent', fields: { workspaceId: 1, agentId: 1, createdAt: -1, _id: -1 } },
    { serves: 'one at a time for each agent', fields: { agentId: 1 }, unique: true, where: { open: true } },
    {
      serves: 'the oldest of each workspace that is not over',
      fields: { open: 1, createdAt: 1 },
      where: { open: true },
    },
    {
      serves: 'the one that an agent writes by',
      fields: { workspaceId: 1, agentId: 1 },
      unique: true,
      where: { isCurrent: true },
    },
    { serves: 'how many a workspace began in a day', fields: { workspaceId: 1, createdAt: 1 } },
    { serves: 'forgets trainings', fields: { expiresAt: 1 }, expireAfterSeconds: 0 },
  ],
})
export class AgentTrainingRecord {
  _id!: Types.ObjectId;

  @Prop({ type: Schema.Types.ObjectId, required: true })
  workspaceId!: Types.ObjectId;

  @Prop({ type: Schema.Types.ObjectId, required: true })
  agentId!: Types.ObjectId;

  /** Where reading begins. */
  @Prop(text)
  url!: string;

  /** Only a host name was given: where it is not to be had with encryption, it is tried without. */
  @Prop({ type: Boolean, required: true, default: false })
  isSchemeGuessed!: boolean;

  @Prop({ ...text, enum: TRAINING_STATUSES, default: 'pending' })
  status!: TrainingStatus;

  /** Pending or running. */
  @Prop({ type: Boolean, required: true, default: true })
  open!: boolean;

  /** Who works on it: number of the lease. What a worker writes that has lost it is refused. */
  @Prop(count)
  fence!: number;

  /** Times that it was taken up since something was last done: what kills whoever works on it is given up. */
  @Prop(count)
  attempts!: number;

  /** Addresses of the site that are known. */
  @Prop(count)
  found!: number;

  @Prop(count)
  read!: number;

  /** Not read, for a reason that its page has. */
  @Prop(count)
  skipped!: number;

  /** Milliseconds that were spent on reading. */
  @Prop(count)
  spentMs!: number;

  /** All pages are there that will be. */
  @Prop({ type: Boolean, required: true, default: false })
  isRead!: boolean;

  /** Parts of the text that the profile has in it; of one that was interrupted, the rest is asked for. */
  @Prop(count)
  partsWritten!: number;

  /** Complete once the training is; null without one. */
  @Prop({ type: profileFields, default: null })
  profile!: CompanyProfile | null;

  /** Why there is no profile although the training is completed: an error code. */
  @Prop({ type: String, default: null })
  profileReason!: string | null;

  /** The agent writes by this one. */
  @Prop({ type: Boolean, required: true, default: false })
  isCurrent!: boolean;

  @Prop({ type: new Schema({ code: String, message: String }, plain), default: null })
  error!: TrainingProblem | null;

  @Prop({ type: Date, default: null })
  startedAt!: Date | null;

  @Prop({ type: Date, default: null })
  completedAt!: Date | null;

  /** Forgotten then. Absent while it is open or in use. */
  @Prop({ type: Date })
  expiresAt?: Date;

  @Prop({ type: Date })
  createdAt!: Date;

  @Prop({ type: Date })
  updatedAt!: Date;
}
