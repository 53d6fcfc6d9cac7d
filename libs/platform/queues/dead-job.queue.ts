import { Injectable } from '@nestjs/common';
import { InjectModel, Prop } from '@nestjs/mongoose';
import { Collection, parseId } from '@platform/database';
import { notFound } from '@platform/errors';
import { type Model, type Types } from 'mongoose';
import { type JobPayload } from './job.queue';
import { type QueueName } from './queue-table';
import { QueuesService } from './queues.service';
import { RedisClient } from './redis.client';

@Collection('dead_jobs', {
  tenant: { notBecause: 'read by the operator, across workspaces' },
  indexes: [
    {
      serves: 'the operator lists the newest; removed after 90 days',
      fields: { createdAt: 1 },
      expireAfterSeconds: 90 * 86_400,
    },
  ],
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

export type DeadJob = Omit<DeadJobRecord, '_id'> & { _id: string };

/** Jobs that were given up. The operator reads why and may put one back. */
@Injectable()
export class DeadJobQueue {
  constructor(
    @InjectModel(DeadJobRecord.name) private readonly records: Model<DeadJobRecord>,
    private readonly queues: QueuesService,
    private readonly redis: RedisClient,
  ) {}

  async record(job: Omit<DeadJob, '_id' | 'createdAt'>): Promise<void> {
    await this.records.create(job);
  }

  async newest(limit: number): Promise<DeadJob[]> {
    const found = await this.records.find().sort({ createdAt: -1 }).limit(limit).lean();
    return found.map(({ _id, queue, jobId, payload, attempts, error, createdAt }) => ({
      _id: _id.toHexString(),
      queue,
      jobId,
      payload,
      attempts,
      error,
      createdAt,
    }));
  }

  /** Puts the job back into its queue and removes the record. @throws NOT_FOUND, SERVICE_UNAVAILABLE */
  async retry(id: string): Promise<void> {
    const _id = parseId(id);
    const record = _id && (await this.records.findById(_id).lean());
    if (!record) throw notFound('Dead job');
    await this.redis.promptly(() =>
      this.queues.get(record.queue).add(record.queue, record.payload, { jobId: `${record.jobId}-retry-${id}` }),
    );
    await this.records.deleteOne({ _id: record._id });
  }
}
