import { AgentReplyJobService, type GoOnWithReply } from '@domain/agents';
import { Injectable } from '@nestjs/common';
import { JobProcessor } from '../jobs';

/** Processes a reply that an agent sends without a person's approval. */
@Injectable()
export class AgentReplyProcessor extends JobProcessor<GoOnWithReply> {
  readonly queue = 'agent-reply' as const;

  constructor(private readonly runs: AgentReplyJobService) {
    super();
  }

  async handle(payload: GoOnWithReply, signal: AbortSignal): Promise<void> {
    await this.runs.run(payload, signal);
  }
}
