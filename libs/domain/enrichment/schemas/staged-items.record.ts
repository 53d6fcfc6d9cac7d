import { Prop } from '@nestjs/mongoose';
import { Collection } from '@platform/database';
import { Schema, type Types } from 'mongoose';

/** Items without a job: written before it exists, or left by a deleted job. */
@Collection('enrichment_staged_items', {
  tenant: true,
  indexes: [{ serves: 'staged items to remove, oldest first', fields: { createdAt: 1 } }],
})
export class StagedItemsRecord {
  /** The job. */
  @Prop({ type: Schema.Types.ObjectId, required: true })
  _id!: Types.ObjectId;

  @Prop({ type: Schema.Types.ObjectId, required: true })
  workspaceId!: Types.ObjectId;

  /** The job will not be created, or was deleted: its items can be removed. */
  @Prop({ type: Boolean, required: true })
  abandoned!: boolean;

  @Prop({ type: Date, required: true })
  createdAt!: Date;
}
