import { CrmAutomationJobService } from '@domain/crm';
import { Injectable } from '@nestjs/common';
import { type JobPayload } from '@platform/queues';
import { JobProcessor } from '../jobs';

/** Starts due automatic CRM syncs. */
@Injectable()
export class CrmAutomationProcessor extends JobProcessor {
  readonly queue = 'crm-automation' as const;

  constructor(private readonly automations: CrmAutomationJobService) {
    super();
  }

  async handle(_payload: JobPayload, signal: AbortSignal): Promise<void> {
    await this.automations.run(signal);
  }
}
