import { CRM_TYPES, type CrmType } from '@adapters/crm';
import { Prop } from '@nestjs/mongoose';
import { Collection } from '@platform/database';
import { Schema, type Types } from 'mongoose';
import { ACTIVITY_EVENTS, type ActivityEvent, PUSH_EVENTS, type PushEvent } from '../../activity/activity-events';

const plain = { _id: false, id: false } as const;
const SCHEDULE = { everyMinutes: Number, beganAt: Date, nextAt: Date };

/** A sync that is begun every so many minutes. */
export interface SyncSchedule {
  everyMinutes: number;
  /** From when on its minutes are counted. */
  beganAt: Date;
  nextAt: Date;
}

/** @property campaignId where new people land */
export type PullSchedule = SyncSchedule & { campaignId: Types.ObjectId };

/** Events of the past that are gone through for activities. */
export interface Backfill {
  from: Date;
  /** Not included. */
  to: Date;
  /** The event behind which to go on; null: at the beginning. */
  position: { at: Date; id: Types.ObjectId } | null;
  /** Activities that it made. */
  made: number;
  completedAt: Date | null;
}

/** What happens with a CRM by itself. */
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
})
export class CrmAutomationRecord {
  _id!: Types.ObjectId;

  @Prop({ type: Schema.Types.ObjectId, required: true })
  workspaceId!: Types.ObjectId;

  @Prop({ type: String, enum: CRM_TYPES, required: true })
  crmType!: CrmType;

  /** What is told to the timelines of people. */
  @Prop({ type: [String], enum: ACTIVITY_EVENTS, required: true })
  activities!: ActivityEvent[];

  /** After what a person is pushed. */
  @Prop({ type: [String], enum: PUSH_EVENTS, required: true })
  pushOn!: PushEvent[];

  /** Of which campaigns; empty: of all. */
  @Prop({ type: [Schema.Types.ObjectId], required: true })
  campaignIds!: Types.ObjectId[];

  /** Whether people of whom something is to be told are made in the CRM when they are not there. */
  @Prop({ type: Boolean, required: true })
  createPeople!: boolean;

  /** What was recorded before is none of it. */
  @Prop({ type: Date, required: true })
  since!: Date;

  @Prop({ type: new Schema({ ...SCHEDULE, campaignId: Schema.Types.ObjectId }, plain), default: null })
  pull!: PullSchedule | null;

  @Prop({ type: new Schema(SCHEDULE, plain), default: null })
  push!: SyncSchedule | null;

  /** The earlier of both; absent without any. */
  @Prop({ type: Date })
  nextAt?: Date;

  /** Why the last sync was not begun. */
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
