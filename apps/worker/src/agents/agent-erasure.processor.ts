import { AgentErasureRepository } from '@domain/agents';
import { Injectable } from '@nestjs/common';
import { type JobPayload } from '@platform/queues';
import { JobProcessor } from '../jobs';

/** Erases the data of deleted agents. */
@Injectable()
export class AgentErasureProcessor extends JobProcessor {
  readonly queue = 'agent-erasure' as const;

  constructor(private readonly erasure: AgentErasureRepository) {
    super();
  }

  async handle(_payload: JobPayload, signal: AbortSignal): Promise<void> {
    await this.erasure.clear(signal);
  }
}
