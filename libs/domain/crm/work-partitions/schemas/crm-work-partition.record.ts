import { CRM_TYPES, type CrmType } from '@adapters/crm';
import { Prop } from '@nestjs/mongoose';
import { Collection } from '@platform/database';
import { Schema, type Types } from 'mongoose';

/** The sequential work of a workspace with one CRM, whose limits apply to all of it. */
@Collection('crm_work_partitions', {
  tenant: true,
  indexes: [
    {
      serves: 'work partitions with due work, oldest first',
      fields: { nextAt: 1, _id: 1 },
      due: 'crm-work',
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

  /** When work is due; absent without any. During a run it stays in the past, so that the sweep finds it after a crash. */
  @Prop({ type: Date })
  nextAt?: Date;

  /** The earliest run requested since the last run began. */
  @Prop({ type: Date })
  requestedFor?: Date;

  /** Grows with each schedule: of two concurrent transactions one is retried and sees the other. */
  @Prop({ type: Number, default: 0 })
  revision!: number;

  /** The lease holder; meaningless once the lease has expired. */
  @Prop({ type: String, required: true })
  holder!: string;

  /** Grows with each new holder, and at the end of a run. */
  @Prop({ type: Number, required: true })
  fence!: number;

  @Prop({ type: Date, required: true })
  leaseUntil!: Date;

  /** No request to the CRM before then: the vendor asked for a pause or did not answer. Null: none. */
  @Prop({ type: Date, default: null })
  cooldownUntil!: Date | null;

  /** Consecutive failures. */
  @Prop({ type: Number, default: 0 })
  failures!: number;

  /** The connection was removed: its links have to be deleted. */
  @Prop({ type: Boolean })
  deletesLinks?: boolean;
}
