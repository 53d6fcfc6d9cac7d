import { CRM_TYPES, type CrmType } from '@adapters/crm';
import { Prop, Schema as Fields, SchemaFactory } from '@nestjs/mongoose';
import { Collection } from '@platform/database';
import { Schema, type Types } from 'mongoose';
import { ACTIVITY_EVENTS, type ActivityEvent, PUSH_EVENTS, type PushEvent } from '../../activity/activity.events';

/** A sync that is begun every so many minutes. */
export interface SyncRhythm {
  everyMinutes: number;
  /** When its minutes are counted from. */
  beganAt: Date;
  nextAt: Date;
}

@Fields({ _id: false })
class PushRhythm implements SyncRhythm {
  @Prop({ type: Number, required: true })
  everyMinutes!: number;

  @Prop({ type: Date, required: true })
  beganAt!: Date;

  @Prop({ type: Date, required: true })
  nextAt!: Date;
}

@Fields({ _id: false })
class PullRhythm extends PushRhythm {
  /** Where new people land. */
  @Prop({ type: Schema.Types.ObjectId, required: true })
  campaignId!: Types.ObjectId;
}

/** Events of the past that are gone through for activities. */
@Fields({ _id: false })
class Backfill {
  @Prop({ type: Date, required: true })
  from!: Date;

  @Prop({ type: Date, required: true })
  to!: Date;

  /** Behind which event to go on; null: at the beginning. */
  @Prop({ type: new Schema({ at: Date, id: Schema.Types.ObjectId }, { _id: false }), default: null })
  position!: { at: Date; id: Types.ObjectId } | null;

  /** Activities that it made. */
  @Prop({ type: Number, default: 0 })
  made!: number;

  @Prop({ type: Date, default: null })
  completedAt!: Date | null;
}

/** What happens with a CRM by itself. */
@Collection('crm_automations', {
  tenant: true,
  indexes: [
    { serves: 'the one of a CRM', fields: { workspaceId: 1, crmType: 1 }, unique: true },
    { serves: 'syncs that are due', fields: { nextAt: 1 }, where: { nextAt: { $gt: new Date(0) } } },
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

  /** Whether people of whom something is told are made in the CRM when they are not there. */
  @Prop({ type: Boolean, required: true })
  createPeople!: boolean;

  /** What was recorded before is none of it. */
  @Prop({ type: Date, required: true })
  since!: Date;

  @Prop({ type: SchemaFactory.createForClass(PullRhythm), default: null })
  pull!: PullRhythm | null;

  @Prop({ type: SchemaFactory.createForClass(PushRhythm), default: null })
  push!: PushRhythm | null;

  /** The earlier of both; absent without any. */
  @Prop({ type: Date })
  nextAt?: Date;

  /** Why the last sync was not begun. */
  @Prop({ type: String, default: null })
  problem!: string | null;

  @Prop({ type: SchemaFactory.createForClass(Backfill), default: null })
  backfill!: Backfill | null;

  @Prop({ type: Date })
  createdAt!: Date;

  @Prop({ type: Date })
  updatedAt!: Date;
}
