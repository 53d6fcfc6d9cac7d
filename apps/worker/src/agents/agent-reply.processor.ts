import { AgentReplyJobService, type GoOnWithReply } from '@domain/agents';
import { Processor } from '@nestjs/bullmq';
import { getWorkerOptions } from '@platform/queues';
import { JobProcessor } from '../jobs';

/** Processes a reply that an agent sends without a person's approval. */
@Processor('agent-reply', getWorkerOptions('agent-reply'))
export class AgentReplyProcessor extends JobProcessor<GoOnWithReply> {
  constructor(private readonly runs: AgentReplyJobService) {
    super();
  }

  async handle(payload: GoOnWithReply, signal: AbortSignal): Promise<void> {
    await this.runs.run(payload, signal);
  }
}
