import { Prop } from '@nestjs/mongoose';
import { Collection } from '@platform/database';
import { Schema, type Types } from 'mongoose';

/**
 * Events of a workspace that wait for relay, written with them. An entry never changes: it is inserted, and deleted by the
 * transaction in which the subscribers write. So the number of deleted entries proves that nobody else relays them.
 */
@Collection('event_outbox', {
  tenant: true,
  indexes: [{ serves: 'the age of the oldest entry', fields: { recordedAt: 1 }, due: 'event-relay' }],
  impersonal: {
    'a partition and ids': ['_id'],
  },
})
export class EventOutboxRecord {
  /** `<partition>:<workspaceId>:<ObjectId>`: the relay reads ranges of it, each workspace in the order of recording. */
  @Prop({ type: String, required: true })
  _id!: string;

  @Prop({ type: Schema.Types.ObjectId, required: true })
  workspaceId!: Types.ObjectId;

  @Prop({ type: [Schema.Types.ObjectId], required: true })
  eventIds!: Types.ObjectId[];

  @Prop({ type: Date, required: true })
  recordedAt!: Date;

  /** Failed attempts with each of these events alone. */
  @Prop({ type: Number, required: true })
  attempts!: number;
}
