import { Prop } from '@nestjs/mongoose';
import { Collection } from '@platform/database';
import { Schema, type Types } from 'mongoose';

/** A place at which a worker does the jobs of a workspace; there are few of them, so that no workspace takes all workers. */
@Collection('enrichment_lanes', {
  tenant: true,
  indexes: [
    {
      serves: 'lanes that have something to do, oldest first',
      fields: { nextAt: 1, _id: 1 },
      due: 'enrichment-lane',
      where: { nextAt: { $gt: new Date(0) } },
    },
    { serves: 'the lanes of a workspace, each once', fields: { workspaceId: 1, number: 1 }, unique: true },
  ],
})
export class EnrichmentWorkPartitionRecord {
  _id!: Types.ObjectId;

  @Prop({ type: Schema.Types.ObjectId, required: true })
  workspaceId!: Types.ObjectId;

  /** From 0. */
  @Prop({ type: Number, required: true })
  number!: number;

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
