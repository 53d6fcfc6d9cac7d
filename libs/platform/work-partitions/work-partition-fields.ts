import { Prop } from '@nestjs/mongoose';
import { NO_LEASE } from '@platform/database';
import { Schema, type Types } from 'mongoose';

/** The lease and the next run of a key with due work. Written at each run, therefore apart from other data. */
export abstract class WorkPartitionFields {
  _id!: Types.ObjectId;

  @Prop({ type: Schema.Types.ObjectId, required: true })
  workspaceId!: Types.ObjectId;

  /** When work is due; absent without any. During a run it stays in the past, so that the sweep finds it after a crash. */
  @Prop({ type: Date })
  nextAt?: Date;

  /** The earliest run requested since the last run began. */
  @Prop({ type: Date })
  requestedFor?: Date;

  /** The lease holder; meaningless once the lease has expired. */
  @Prop({ type: String, default: '' })
  holder!: string;

  /** Grows with each new holder, and at the end of a run. */
  @Prop({ type: Number, default: 0 })
  fence!: number;

  @Prop({ type: Date, default: NO_LEASE })
  leaseUntil!: Date;

  /** Consecutive runs that ended in an error; absent after a run without one. */
  @Prop({ type: Number })
  failedRuns?: number;
}
