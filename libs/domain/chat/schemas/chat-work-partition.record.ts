import { Prop } from '@nestjs/mongoose';
import { Collection } from '@platform/database';
import { Schema, type Types } from 'mongoose';

/** Which worker posts for a connection, and when there is something to post. Written at each turn: kept apart from the settings. */
@Collection('chat_lanes', {
  tenant: true,
  indexes: [
    {
      serves: 'connections that have something to post, oldest first',
      fields: { nextAt: 1, _id: 1 },
      due: 'chat-lane',
      where: { nextAt: { $gt: new Date(0) } },
    },
    { serves: 'the partitions of a workspace', fields: { workspaceId: 1 } },
  ],
})
export class ChatWorkPartitionRecord {
  /** The connection. */
  @Prop({ type: Schema.Types.ObjectId, required: true })
  _id!: Types.ObjectId;

  @Prop({ type: Schema.Types.ObjectId, required: true })
  workspaceId!: Types.ObjectId;

  /** When something is due; absent while nothing is. During a turn it lies in the past, so that one whose worker dies is found. */
  @Prop({ type: Date })
  nextAt?: Date;

  /** The earliest moment for which it was woken since the last turn began. */
  @Prop({ type: Date })
  wokenFor?: Date;

  /** Who holds the lease; meaningless once it has run out. */
  @Prop({ type: String, required: true })
  holder!: string;

  /** Grows with each new holder, and once more at the end of a turn. */
  @Prop({ type: Number, required: true })
  fence!: number;

  @Prop({ type: Date, required: true })
  leaseUntil!: Date;
}
