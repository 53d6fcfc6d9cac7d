import { Prop } from '@nestjs/mongoose';
import { Collection } from '@platform/database';
import { type Types } from 'mongoose';
import { type JobPayload } from './job.queue';
import { type QueueName } from './queue-table';

/** A job that failed for good, kept until the operator has read why. */
@Collection('dead_jobs', {
  tenant: { notBecause: 'read by the operator, across workspaces' },
  indexes: [
    {
      serves: 'the operator lists the newest; removed after 90 days',
      fields: { createdAt: 1 },
      expireAfterSeconds: 90 * 86_400,
    },
  ],
  impersonal: {
    'names of queues, ids, and errors by code': ['queue', 'jobId', 'payload', 'error'],
  },
})
export class DeadJobRecord {
  _id!: Types.ObjectId;

  @Prop({ type: String, required: true })
  queue!: QueueName;

  @Prop({ type: String, required: true })
  jobId!: string;

  @Prop({ type: Object, required: true })
  payload!: JobPayload;

  @Prop({ type: Number, required: true })
  attempts!: number;

  /** Code and message of the last failure. */
  @Prop({ type: Object, required: true })
  error!: { code: string; message: string };

  @Prop({ type: Date })
  createdAt!: Date;
}
