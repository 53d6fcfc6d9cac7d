import { InjectQueue } from '@nestjs/bullmq';
import { Injectable } from '@nestjs/common';
import { ClockPort } from '@platform/clock';
import { LogService } from '@platform/observability';
import { type DueJob, DueJobQueue, RedisClient } from '@platform/queues';
import { type Queue } from 'bullmq';
import { type BlacklistTestRecord } from '../schemas/blacklist-test.record';

// A type and not an interface: only a type literal fits the index signature of a job's payload.
export type RunBlacklistTest = { workspaceId: string; testId: string };

type Planned = Pick<BlacklistTestRecord, '_id' | 'workspaceId' | 'createdAt'>;

/** Wakes the worker to continue a blacklist test. */
@Injectable()
export class BlacklistTestQueue extends DueJobQueue<RunBlacklistTest> {
  constructor(@InjectQueue('blacklist-test') queue: Queue, redis: RedisClient, clock: ClockPort, log: LogService) {
    super(queue, redis, clock, log);
  }

  /** Enqueues new tests. A failure of Redis is harmless: the sweep finds them. */
  async plan(tests: readonly Planned[]): Promise<void> {
    if (tests.length > 0) await this.enqueueAll(tests.map(toJob));
  }

  /**
   * Adds the missing jobs and returns their number.
   * @throws SERVICE_UNAVAILABLE while Redis is unavailable
   */
  async planMissing(tests: readonly Planned[]): Promise<number> {
    return this.addAllMissing(tests.map(toJob));
  }
}

function toJob({ _id, workspaceId, createdAt }: Planned): DueJob<RunBlacklistTest> {
  const testId = _id.toHexString();
  return { payload: { workspaceId: workspaceId.toHexString(), testId }, id: `test-${testId}`, dueAt: createdAt };
}
