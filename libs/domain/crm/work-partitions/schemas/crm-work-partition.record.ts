import { CRM_TYPES, type CrmType } from '@adapters/crm';
import { Prop } from '@nestjs/mongoose';
import { Collection } from '@platform/database';
import { Schema, type Types } from 'mongoose';

/** The place at which everything that a workspace has to do with one CRM is done, one thing after the other: its limits are for all of it. */
@Collection('crm_lanes', {
  tenant: true,
  indexes: [
    {
      serves: 'lanes that have something to do, oldest first',
      fields: { nextAt: 1, _id: 1 },
      due: 'crm-lane',
      where: { nextAt: { $gt: new Date(0) } },
    },
    { serves: 'the lease to a CRM, of which there is one', fields: { workspaceId: 1, crmType: 1 }, unique: true },
  ],
})
export class CrmWorkPartitionRecord {
  _id!: Types.ObjectId;

  @Prop({ type: Schema.Types.ObjectId, required: true })
  workspaceId!: Types.ObjectId;

  @Prop({ type: String, enum: CRM_TYPES, required: true })
  crmType!: CrmType;

  /** When something is due; absent while nothing is. During a turn it lies in the past, so that one whose worker dies is found. */
  @Prop({ type: Date })
  nextAt?: Date;

  /** The earliest moment for which it was woken since the last turn began. */
  @Prop({ type: Date })
  wokenFor?: Date;

  /** Grows each time: of two transactions that want something of the lane at once, one is run again and sees the other. */
  @Prop({ type: Number, default: 0 })
  planted!: number;

  /** Who holds the lease; meaningless once it has run out. */
  @Prop({ type: String, required: true })
  holder!: string;

  /** Grows with each new holder, and once more at the end of a turn. */
  @Prop({ type: Number, required: true })
  fence!: number;

  @Prop({ type: Date, required: true })
  leaseUntil!: Date;

  /** Nothing is asked of the CRM before, whatever it was woken for: the vendor wants a rest, or did not answer. Null: now. */
  @Prop({ type: Date, default: null })
  restUntil!: Date | null;

  /** Failures in a row. */
  @Prop({ type: Number, default: 0 })
  strikes!: number;

  /** The connection was removed: what is known of the people of its account is to be forgotten. */
  @Prop({ type: Boolean })
  forgets?: boolean;
}
