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

/** A list of addresses to enrich. Its counters change in the transaction that changes its items. */
@Collection('enrichment_jobs', {
  tenant: true,
  indexes: [
    { serves: 'the list of jobs, newest first', fields: { workspaceId: 1, createdAt: -1, _id: -1 } },
    { serves: 'a job by its id in the API', fields: { code: 1 }, unique: true },
    {
      serves: 'the open jobs of a workspace, the one served longest ago first',
      fields: { workspaceId: 1, open: 1, servedAt: 1, _id: 1 },
      where: { open: true },
    },
    // By the creation time, which implies the expiry: query planners would use an index on `expiresAt` for other
    // queries, too.
    { serves: 'expired jobs, oldest first', fields: { createdAt: 1 } },
  ],
  impersonal: {
    'a public id': ['code'],
    'codes of errors, in our words': ['error'],
  },
})
export class EnrichmentJobRecord {
  _id!: Types.ObjectId;

  @Prop({ type: Schema.Types.ObjectId, required: true })
  workspaceId!: Types.ObjectId;

  /** The `id` in the API: `<prefix>_<epoch milliseconds>_<suffix>` */
  @Prop({ type: String, required: true })
  code!: string;

  @Prop({ type: String, enum: ENRICHMENT_TYPES, required: true })
  type!: EnrichmentType;

  @Prop({ type: String, enum: JOB_STATUSES, required: true, default: 'pending' })
  status!: JobStatus;

  /** Whether the job is pending or processing. */
  @Prop({ type: Boolean, required: true, default: true })
  open!: boolean;

  /** The campaign whose leads the items are; null for listed addresses. */
  @Prop({ type: Schema.Types.ObjectId, default: null })
  campaignId!: Types.ObjectId | null;

  @Prop({ type: Number, required: true })
  totalItems!: number;

  /** Number of ended items: the sum of `successCount` and `failedCount`. */
  @Prop(whole)
  processedItems!: number;

  @Prop(whole)
  successCount!: number;

  @Prop(whole)
  failedCount!: number;

  /** Credits for the decisive items so far; charged at the end. */
  @Prop(whole)
  creditsUsed!: number;

  /** Why the job failed; null for any other. */
  @Prop({ type: new Schema({ code: String, message: String }, nested), default: null })
  error!: JobProblem | null;

  /** The time at which an item is due, or an earlier time; absent after the end. */
  @Prop({ type: Date })
  nextAt?: Date;

  /** Time of the last claim of its items. */
  @Prop({ type: Date, required: true })
  servedAt!: Date;

  /** Grows with each change of its items, and invalidates what was read before. */
  @Prop(whole)
  revision!: number;

  @Prop({ type: Date, default: null })
  startedAt!: Date | null;

  /** Time of the end, with any status. */
  @Prop({ type: Date, default: null })
  completedAt!: Date | null;

  /** From then on no query finds the job. */
  @Prop({ type: Date, required: true })
  expiresAt!: Date;

  @Prop({ type: Date })
  createdAt!: Date;

  @Prop({ type: Date })
  updatedAt!: Date;
}
