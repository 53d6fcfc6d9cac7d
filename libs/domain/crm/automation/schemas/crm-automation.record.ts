import { CRM_TYPES, type CrmType } from '@adapters/crm';
import { Prop } from '@nestjs/mongoose';
import { Collection } from '@platform/database';
import { Schema, type Types } from 'mongoose';
import { ACTIVITY_EVENTS, type ActivityEvent, PUSH_EVENTS, type PushEvent } from '../../activity/activity-events';

const plain = { _id: false, id: false } as const;
const SCHEDULE = { everyMinutes: Number, beganAt: Date, nextAt: Date };

/** The schedule of a sync. */
export interface SyncSchedule {
  everyMinutes: number;
  /** The start of the intervals. */
  beganAt: Date;
  nextAt: Date;
}

/** @property campaignId the campaign of new people */
export type PullSchedule = SyncSchedule & { campaignId: Types.ObjectId };

/** A period of past events to post as activities. */
export interface Backfill {
  from: Date;
  /** Not included. */
  to: Date;
  /** The last processed event; null at the start. */
  position: { at: Date; id: Types.ObjectId } | null;
  /** Activities that it made. */
  made: number;
  completedAt: Date | null;
}

/** The automation of a CRM: activities, pushes and scheduled syncs. */
@Collection('crm_automations', {
  tenant: true,
  indexes: [
    { serves: 'the one of a CRM', fields: { workspaceId: 1, crmType: 1 }, unique: true },
    {
      serves: 'syncs that are due',
      fields: { nextAt: 1 },
      due: 'crm-automation',
      where: { nextAt: { $gt: new Date(0) } },
    },
  ],
  impersonal: {
    settings: ['activities', 'pushOn'],
    'codes of errors, in our words': ['problem'],
  },
})
export class CrmAutomationRecord {
  _id!: Types.ObjectId;

  @Prop({ type: Schema.Types.ObjectId, required: true })
  workspaceId!: Types.ObjectId;

  @Prop({ type: String, enum: CRM_TYPES, required: true })
  crmType!: CrmType;

  /** Events posted to timelines. */
  @Prop({ type: [String], enum: ACTIVITY_EVENTS, required: true })
  activities!: ActivityEvent[];

  /** Events that push a person. */
  @Prop({ type: [String], enum: PUSH_EVENTS, required: true })
  pushOn!: PushEvent[];

  /** Only of these campaigns; empty: of all. */
  @Prop({ type: [Schema.Types.ObjectId], required: true })
  campaignIds!: Types.ObjectId[];

  /** Whether missing people of activities are created in the CRM. */
  @Prop({ type: Boolean, required: true })
  createPeople!: boolean;

  /** Events recorded earlier do not count. */
  @Prop({ type: Date, required: true })
  since!: Date;

  @Prop({ type: new Schema({ ...SCHEDULE, campaignId: Schema.Types.ObjectId }, plain), default: null })
  pull!: PullSchedule | null;

  @Prop({ type: new Schema(SCHEDULE, plain), default: null })
  push!: SyncSchedule | null;

  /** The earlier of both; absent without any. */
  @Prop({ type: Date })
  nextAt?: Date;

  /** Why the last sync did not start. */
  @Prop({ type: String, default: null })
  problem!: string | null;

  @Prop({
    type: new Schema(
      {
        from: Date,
        to: Date,
        position: new Schema({ at: Date, id: Schema.Types.ObjectId }, plain),
        made: Number,
        completedAt: Date,
      },
      plain,
    ),
    default: null,
  })
  backfill!: Backfill | null;

  @Prop({ type: Date })
  createdAt!: Date;

  @Prop({ type: Date })
  updatedAt!: Date;
}
