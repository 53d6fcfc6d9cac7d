import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import { parseId } from '@platform/database';
import { notFound } from '@platform/errors';
import { type Model } from 'mongoose';
import { DeadJobRecord } from './dead-job.record';
import { QueuesService } from './queues.service';
import { RedisClient } from './redis.client';

export type DeadJob = Omit<DeadJobRecord, '_id'> & { _id: string };

/** Jobs that failed for good. The operator reads the reason and can enqueue one again. */
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

  /** Enqueues the job again and removes the record. @throws NOT_FOUND, SERVICE_UNAVAILABLE */
  async retry(id: string): Promise<void> {
    const _id = parseId(id);
    const record = _id && (await this.records.findById(_id).lean());
    if (!record) throw notFound('Dead job');
    // A periodic task has its own name in metrics.
    const name = typeof record.payload['task'] === 'string' ? record.payload['task'] : record.queue;
    await this.redis.promptly(() =>
      this.queues.get(record.queue).add(name, record.payload, { jobId: `${record.jobId}-retry-${id}` }),
    );
    await this.records.deleteOne({ _id: record._id });
  }
}
