import { type RunAgentTraining, AgentTrainingJobService } from '@domain/agents';
import { Processor } from '@nestjs/bullmq';
import { getWorkerOptions } from '@platform/queues';
import { JobProcessor } from '../jobs';

/** Runs the trainings of agents. */
@Processor('agent-training', getWorkerOptions('agent-training'))
export class AgentTrainingProcessor extends JobProcessor<RunAgentTraining> {
  constructor(private readonly runs: AgentTrainingJobService) {
    super();
  }

  async handle(payload: RunAgentTraining, signal: AbortSignal): Promise<void> {
    await this.runs.run(payload, signal);
  }
}
