import { Prop } from '@nestjs/mongoose';
import { Collection } from '@platform/database';
import { Schema, type Types } from 'mongoose';
import { type EventType } from '../event-types';

/** Something that happened. Written once with the change that it tells of, never altered but for `relayAt`. */
@Collection('events', {
  tenant: true,
  indexes: [
    { serves: 'that nothing is recorded twice', fields: { workspaceId: 1, dedupeKey: 1 }, unique: true },
    { serves: 'what happened in a workspace, latest first', fields: { workspaceId: 1, at: -1, _id: -1 } },
    { serves: 'what happened of one kind', fields: { workspaceId: 1, type: 1, at: -1, _id: -1 } },
    {
      serves: 'what happened in a campaign, and the recount of its days',
      fields: { workspaceId: 1, campaignId: 1, at: -1, _id: -1 },
    },
    { serves: 'what happened to a lead', fields: { workspaceId: 1, leadId: 1, at: -1, _id: -1 } },
    {
      serves: 'what is still to be handed on',
      fields: { relayAt: 1 },
      due: 'event-relay',
      where: { relayAt: { $gt: new Date(0) } },
    },
  ],
})
export class EventRecord {
  _id!: Types.ObjectId;

  @Prop({ type: Schema.Types.ObjectId, required: true })
  workspaceId!: Types.ObjectId;

  @Prop({ type: String, required: true })
  type!: EventType;

  /** Names the happening, so that telling it again changes nothing. */
  @Prop({ type: String, required: true })
  dedupeKey!: string;

  /** When it happened, which may be before it was noticed. */
  @Prop({ type: Date, required: true })
  at!: Date;

  @Prop({ type: Schema.Types.ObjectId, default: null })
  mailboxId!: Types.ObjectId | null;

  @Prop({ type: Schema.Types.ObjectId, default: null })
  campaignId!: Types.ObjectId | null;

  @Prop({ type: Schema.Types.ObjectId, default: null })
  leadId!: Types.ObjectId | null;

  /** What there is to say of it (`EVENT_DATA`): plain values that webhooks will show, never a secret. */
  @Prop({ type: Schema.Types.Mixed, required: true })
  data!: Record<string, unknown>;

  /** From when on it is to be handed to those who want to know (`EventRelayService`); absent when that is done. */
  @Prop({ type: Date })
  relayAt?: Date;

  @Prop({ type: Date })
  createdAt!: Date;
}
