import { CRM_TYPES, type CrmType } from '@adapters/crm';
import { Prop } from '@nestjs/mongoose';
import { Collection } from '@platform/database';
import { Schema, type Types } from 'mongoose';
import { ACTIVITY_EVENTS, type ActivityEvent } from '../activity-events';

/**
 * `pending`: to be told. `handing`: the CRM is being told, or a worker died over it. `recorded`: the CRM has it. `refused`: the CRM
 * does not take it, or it is too late. `skipped`: there is nobody to tell it of. `unknown`: the CRM may have it; it is not told again.
 */
export const ACTIVITY_STATES = ['pending', 'handing', 'recorded', 'refused', 'skipped', 'unknown'] as const;
export type ActivityState = (typeof ACTIVITY_STATES)[number];

const KEPT_SECONDS = 30 * 86_400;

/** Something that happened, and what became of telling the CRM: once for each event and CRM. The words are made when it is told. */
@Collection('crm_activities', {
  tenant: true,
  indexes: [
    {
      serves: 'that an event is told to a CRM once',
      fields: { workspaceId: 1, crmType: 1, eventId: 1 },
      unique: true,
    },
    {
      serves: 'what is to be told, and what was left in hand',
      fields: { workspaceId: 1, crmType: 1, state: 1, dueAt: 1 },
    },
    { serves: 'the list of a CRM, newest first', fields: { workspaceId: 1, crmType: 1, createdAt: -1, _id: -1 } },
    {
      serves: 'the list of those in a state',
      fields: { workspaceId: 1, crmType: 1, state: 1, createdAt: -1, _id: -1 },
    },
    { serves: 'the erasure of a person', fields: { workspaceId: 1, leadId: 1 } },
    { serves: 'that what is over is forgotten', fields: { createdAt: 1 }, expireAfterSeconds: KEPT_SECONDS },
  ],
})
export class CrmActivityRecord {
  _id!: Types.ObjectId;

  @Prop({ type: Schema.Types.ObjectId, required: true })
  workspaceId!: Types.ObjectId;

  @Prop({ type: String, enum: CRM_TYPES, required: true })
  crmType!: CrmType;

  @Prop({ type: Schema.Types.ObjectId, required: true })
  eventId!: Types.ObjectId;

  @Prop({ type: String, enum: ACTIVITY_EVENTS, required: true })
  event!: ActivityEvent;

  @Prop({ type: Schema.Types.ObjectId, required: true })
  leadId!: Types.ObjectId;

  @Prop({ type: Schema.Types.ObjectId, default: null })
  campaignId!: Types.ObjectId | null;

  /** When it happened. */
  @Prop({ type: Date, required: true })
  at!: Date;

  @Prop({ type: String, enum: ACTIVITY_STATES, required: true })
  state!: ActivityState;

  /** When it may be told. */
  @Prop({ type: Date, required: true })
  dueAt!: Date;

  /** How often nobody was found to tell it of. */
  @Prop({ type: Number, default: 0 })
  searches!: number;

  /** Why it is not (yet) recorded, for people. */
  @Prop({ type: String, default: null })
  reason!: string | null;

  /** The person and the activity in the CRM. */
  @Prop({ type: String, default: null })
  externalId!: string | null;

  @Prop({ type: String, default: null })
  activityId!: string | null;

  @Prop({ type: Date, required: true })
  createdAt!: Date;
}
