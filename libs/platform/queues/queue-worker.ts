import { type ConnectionOptions, type Processor, Worker, type WorkerOptions } from 'bullmq';
import { type Redis } from 'ioredis';
import { type QueueName, queueTable } from './queue-table';

/** A worker renews its lock on a job twice in this time; without renewal it counts as crashed. */
const LOCK_MS = 15_000;

/** What `@Processor` of a queue adds to the options of its producer. */
export function getWorkerOptions(queue: QueueName): Partial<WorkerOptions> {
  return {
    concurrency: queueTable[queue].concurrency,
    // BullMQ gives the job of a crashed worker to another one after some 20 seconds; repeated work is harmless,
    // because the services check the data first.
    lockDuration: LOCK_MS,
    stalledInterval: LOCK_MS / 3,
    maxStalledCount: 3,
  };
}

/**
 * A worker takes the connection of the producer of its queue, which fails fast: this class gives it a connection of its
 * own to the same server, which waits for Redis instead.
 */
export class QueueWorker extends Worker {
  constructor(name: string, processor: Processor, options: WorkerOptions) {
    const { options: producer } = options.connection as Redis;
    const patient = { ...producer, enableOfflineQueue: true, commandTimeout: undefined };
    super(name, processor, { ...options, connection: patient as ConnectionOptions });
  }
}
