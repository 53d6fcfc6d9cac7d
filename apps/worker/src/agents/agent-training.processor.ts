import { type RunAgentTraining, AgentTrainingJobService } from '@domain/agents';
import { Injectable } from '@nestjs/common';
import { JobProcessor } from '../jobs';

/** Runs the trainings of agents. */
@Injectable()
export class AgentTrainingProcessor extends JobProcessor<RunAgentTraining> {
  readonly queue = 'agent-training' as const;

  constructor(private readonly runs: AgentTrainingJobService) {
    super();
  }

  async handle(payload: RunAgentTraining, signal: AbortSignal): Promise<void> {
    await this.runs.run(payload, signal);
  }
}
