import { Prop } from '@nestjs/mongoose';
import { Collection } from '@platform/database';
import { Schema, type Types } from 'mongoose';

/** An event that a subscriber could not handle, until it returns to the outbox. */
@Collection('event_deferred', {
  tenant: true,
  indexes: [
    { serves: 'the events that return to the outbox', fields: { dueAt: 1 }, due: 'event-relay' },
    { serves: 'the unrelayed events of a workspace', fields: { workspaceId: 1 } },
  ],
})
export class DeferredEventRecord {
  /** The id of the event. */
  _id!: Types.ObjectId;

  @Prop({ type: Schema.Types.ObjectId, required: true })
  workspaceId!: Types.ObjectId;

  @Prop({ type: Date, required: true })
  dueAt!: Date;

  /** Failed attempts with this event alone. */
  @Prop({ type: Number, required: true })
  attempts!: number;
}
