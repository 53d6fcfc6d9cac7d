import { Prop } from '@nestjs/mongoose';
import { Collection } from '@platform/database';
import { Schema, type Types } from 'mongoose';
import { type EventType } from '../event-types';

/** An event. Written once, with the change that it records; never changed; an erasure removes data. */
@Collection('events', {
  tenant: true,
  indexes: [
    { serves: 'one record for each dedupe key', fields: { workspaceId: 1, dedupeKey: 1 }, unique: true },
    { serves: 'the event log of a workspace, newest first', fields: { workspaceId: 1, at: -1, _id: -1 } },
    { serves: 'the event log of one type', fields: { workspaceId: 1, type: 1, at: -1, _id: -1 } },
    {
      serves: 'the events of a campaign, and the recount of its daily figures',
      fields: { workspaceId: 1, campaignId: 1, at: -1, _id: -1 },
    },
    { serves: 'the events of a lead', fields: { workspaceId: 1, leadId: 1, at: -1, _id: -1 } },
  ],
  impersonal: {
    'constants and ids': ['type', 'dedupeKey'],
  },
})
export class EventRecord {
  _id!: Types.ObjectId;

  @Prop({ type: Schema.Types.ObjectId, required: true })
  workspaceId!: Types.ObjectId;

  @Prop({ type: String, required: true })
  type!: EventType;

  /** Identifies the occurrence, so that recording it again changes nothing. */
  @Prop({ type: String, required: true })
  dedupeKey!: string;

  /** When it happened, which may be earlier than when it was detected. */
  @Prop({ type: Date, required: true })
  at!: Date;

  @Prop({ type: Schema.Types.ObjectId, default: null })
  mailboxId!: Types.ObjectId | null;

  @Prop({ type: Schema.Types.ObjectId, default: null })
  campaignId!: Types.ObjectId | null;

  @Prop({ type: Schema.Types.ObjectId, default: null })
  leadId!: Types.ObjectId | null;

  /** Data of the event (`EVENT_DATA`): plain values that webhooks post, never a secret. */
  @Prop({ type: Schema.Types.Mixed, required: true })
  data!: Record<string, unknown>;

  @Prop({ type: Date })
  createdAt!: Date;
}
