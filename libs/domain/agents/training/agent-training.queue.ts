import { InjectQueue } from '@nestjs/bullmq';
import { Injectable } from '@nestjs/common';
import { ClockPort } from '@platform/clock';
import { LogService } from '@platform/observability';
import { type DueJob, DueJobQueue, RedisClient } from '@platform/queues';
import { type Queue } from 'bullmq';
import { type AgentTrainingRecord } from './schemas/agent-training.record';

// A type and not an interface: only a type literal fits the index signature of a job's payload.
export type RunAgentTraining = { workspaceId: string; trainingId: string };

export type OpenTraining = Pick<AgentTrainingRecord, '_id' | 'workspaceId' | 'createdAt'>;

/** Continues a training. */
@Injectable()
export class AgentTrainingQueue extends DueJobQueue<RunAgentTraining> {
  constructor(@InjectQueue('agent-training') queue: Queue, redis: RedisClient, clock: ClockPort, log: LogService) {
    super(queue, redis, clock, log);
  }

  /** If Redis fails, the sweep finds the trainings. */
  async plan(trainings: readonly OpenTraining[]): Promise<void> {
    if (trainings.length > 0) await this.enqueueAll(trainings.map(toJob));
  }

  /**
   * Schedules trainings without a waiting or running job.
   * @returns the number of missing jobs
   * @throws SERVICE_UNAVAILABLE while Redis is unavailable
   */
  async planMissing(trainings: readonly OpenTraining[]): Promise<number> {
    return this.addAllMissing(trainings.map(toJob));
  }
}

function toJob({ _id, workspaceId, createdAt }: OpenTraining): DueJob<RunAgentTraining> {
  const trainingId = _id.toHexString();
  return {
    payload: { workspaceId: workspaceId.toHexString(), trainingId },
    id: `training-${trainingId}`,
    dueAt: createdAt,
  };
}
