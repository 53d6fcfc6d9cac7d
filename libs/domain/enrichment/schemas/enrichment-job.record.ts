import { Prop } from '@nestjs/mongoose';
import { Collection } from '@platform/database';
import { Schema, type Types } from 'mongoose';
import { ENRICHMENT_TYPES, type EnrichmentType } from '../item-handlers/enrichment-type';

export const JOB_STATUSES = ['pending', 'processing', 'completed', 'failed', 'cancelled'] as const;
export type JobStatus = (typeof JOB_STATUSES)[number];

/** Why a job failed. */
export interface JobProblem {
  code: string;
  message: string;
}

const whole = { type: Number, required: true, default: 0, min: 0 };
const nested = { _id: false, id: false };

/** Many addresses of which something is to be found out. Its figures change in the transaction that changes its items. */
@Collection('enrichment_jobs', {
  tenant: true,
  indexes: [
    { serves: 'the list of jobs, newest first', fields: { workspaceId: 1, createdAt: -1, _id: -1 } },
    { serves: 'the job that a client names', fields: { code: 1 }, unique: true },
    {
      serves: 'the jobs of a workspace that are not over, the one that waited longest for its turn first',
      fields: { workspaceId: 1, open: 1, servedAt: 1, _id: 1 },
      where: { open: true },
    },
    // By its creation, which says the same: an index on `expiresAt` would be drawn into every other query that looks at it.
    { serves: 'jobs whose time is over, longest over first', fields: { createdAt: 1 } },
  ],
})
export class EnrichmentJobRecord {
  _id!: Types.ObjectId;

  @Prop({ type: Schema.Types.ObjectId, required: true })
  workspaceId!: Types.ObjectId;

  /** The `id` that clients know: `<prefix>_<epoch milliseconds>_<suffix>` */
  @Prop({ type: String, required: true })
  code!: string;

  @Prop({ type: String, enum: ENRICHMENT_TYPES, required: true })
  type!: EnrichmentType;

  @Prop({ type: String, enum: JOB_STATUSES, required: true, default: 'pending' })
  status!: JobStatus;

  /** Pending or processing. */
  @Prop({ type: Boolean, required: true, default: true })
  open!: boolean;

  /** The campaign whose leads its items are; null for addresses that were only given. */
  @Prop({ type: Schema.Types.ObjectId, default: null })
  campaignId!: Types.ObjectId | null;

  @Prop({ type: Number, required: true })
  totalItems!: number;

  /** Items that are over: `successCount` and `failedCount` together. */
  @Prop(whole)
  processedItems!: number;

  @Prop(whole)
  successCount!: number;

  @Prop(whole)
  failedCount!: number;

  /** Credits for the decisive items so far; taken at the end. */
  @Prop(whole)
  creditsUsed!: number;

  /** Why it failed; null for any other. */
  @Prop({ type: new Schema({ code: String, message: String }, nested), default: null })
  error!: JobProblem | null;

  /** When the next of its items is due, or before; absent when it is over. */
  @Prop({ type: Date })
  nextAt?: Date;

  /** When items of it were last taken up. */
  @Prop({ type: Date, required: true })
  servedAt!: Date;

  /** One more with each change of its items: what was read of them before is out of date. */
  @Prop(whole)
  revision!: number;

  @Prop({ type: Date, default: null })
  startedAt!: Date | null;

  /** When it was over, however. */
  @Prop({ type: Date, default: null })
  completedAt!: Date | null;

  /** From then on nobody finds it. */
  @Prop({ type: Date, required: true })
  expiresAt!: Date;

  @Prop({ type: Date })
  createdAt!: Date;

  @Prop({ type: Date })
  updatedAt!: Date;
}
