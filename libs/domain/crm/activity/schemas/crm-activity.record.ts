import { CRM_TYPES, type CrmType } from '@adapters/crm';
import { Prop } from '@nestjs/mongoose';
import { Collection } from '@platform/database';
import { Schema, type Types } from 'mongoose';
import { ACTIVITY_EVENTS, type ActivityEvent } from '../activity-events';

/**
 * `pending`: not posted yet. `sending`: being posted. `recorded`: the CRM has it. `refused`: rejected or too late.
 * `skipped`: no person for it. `unknown`: the CRM may have it; it is not posted again.
 */
export const ACTIVITY_STATES = ['pending', 'sending', 'recorded', 'refused', 'skipped', 'unknown'] as const;
export type ActivityState = (typeof ACTIVITY_STATES)[number];

const RETENTION_SECONDS = 30 * 86_400;

/** A timeline activity and its state, one per event and CRM. Its text is composed when it is posted. */
@Collection('crm_activities', {
  tenant: true,
  indexes: [
    {
      serves: 'one activity per event and CRM',
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
    { serves: 'that what is over is forgotten', fields: { createdAt: 1 }, expireAfterSeconds: RETENTION_SECONDS },
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

  /** When it is due. */
  @Prop({ type: Date, required: true })
  dueAt!: Date;

  /** Searches without a person. */
  @Prop({ type: Number, default: 0 })
  searches!: number;

  /** Why it is not (yet) recorded. */
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
