import { Prop } from '@nestjs/mongoose';
import { Collection } from '@platform/database';
import { Schema, type Types } from 'mongoose';

export const DELAY_UNITS = ['days', 'hours'] as const;
export type DelayUnit = (typeof DELAY_UNITS)[number];

/** Delay of a step, counted from the actual send time of the previous step. */
export interface StepDelay {
  value: number;
  unit: DelayUnit;
  /** Whether only the days of the campaign's schedule count. */
  workingDaysOnly: boolean;
}

/** A step that only earlier versions have. */
export interface RemovedStep {
  stepId: Types.ObjectId;
  /** The step at which its leads continue; null: no step is left to send. */
  nextStepId: Types.ObjectId | null;
}

/** One of several wordings of a step. */
export interface StepVariant {
  _id: Types.ObjectId;
  /** `A`, `B`, … */
  name: string;
  subject: string;
  /** HTML. */
  body: string;
  /** Share of the leads relative to the other variants; 0 disables the variant. */
  weight: number;
}

export interface SequenceStep {
  /** Stable across versions, so that a lead continues at its current step. */
  _id: Types.ObjectId;
  type: 'email';
  name: string;
  /** Place in the sequence, from 0. */
  order: number;
  delay: StepDelay;
  /** At least one. The contract's `subject` and `body` of a step are those of the first. */
  variants: StepVariant[];
}

const variant = new Schema(
  {
    _id: { type: Schema.Types.ObjectId, required: true },
    name: { type: String, required: true },
    subject: { type: String, default: '' },
    body: { type: String, default: '' },
    weight: { type: Number, required: true },
  },
  { id: false },
);

const step = new Schema(
  {
    _id: { type: Schema.Types.ObjectId, required: true },
    type: { type: String, enum: ['email'], required: true },
    name: { type: String, default: '' },
    order: { type: Number, required: true },
    delay: {
      type: new Schema(
        {
          value: { type: Number, required: true },
          unit: { type: String, enum: DELAY_UNITS, required: true },
          workingDaysOnly: { type: Boolean, required: true },
        },
        { _id: false, id: false },
      ),
      required: true,
    },
    variants: { type: [variant], required: true },
  },
  { id: false },
);

const removed = new Schema(
  {
    stepId: { type: Schema.Types.ObjectId, required: true },
    nextStepId: { type: Schema.Types.ObjectId, default: null },
  },
  { _id: false, id: false },
);

/** A published version of the content of a campaign; versions are immutable. */
@Collection('campaign_sequences', {
  tenant: true,
  indexes: [
    {
      serves: 'one version of a sequence, and that there is one of each',
      fields: { workspaceId: 1, campaignId: 1, version: -1 },
      unique: true,
    },
    {
      serves: 'the versions of a sequence, newest first',
      fields: { workspaceId: 1, campaignId: 1, createdAt: -1, _id: -1 },
    },
  ],
  impersonal: {
    'templates before personalisation': ['steps'],
  },
})
export class CampaignSequenceRecord {
  _id!: Types.ObjectId;

  @Prop({ type: Schema.Types.ObjectId, required: true })
  workspaceId!: Types.ObjectId;

  @Prop({ type: Schema.Types.ObjectId, required: true })
  campaignId!: Types.ObjectId;

  /** From 1. */
  @Prop({ type: Number, required: true })
  version!: number;

  @Prop({ type: [step], required: true })
  steps!: SequenceStep[];

  /** All removed steps of the campaign. */
  @Prop({ type: [removed], required: true, default: [] })
  removed!: RemovedStep[];

  @Prop({ type: Schema.Types.ObjectId, default: null })
  createdBy!: Types.ObjectId | null;

  @Prop({ type: Date })
  createdAt!: Date;
}
