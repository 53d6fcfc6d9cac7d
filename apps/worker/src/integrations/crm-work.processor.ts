import { CrmWorkerService, type RunCrmPartition } from '@domain/crm';
import { Injectable } from '@nestjs/common';
import { JobProcessor } from '../jobs';

/** Runs the due work of one CRM account. */
@Injectable()
export class CrmWorkProcessor extends JobProcessor<RunCrmPartition> {
  readonly queue = 'crm-work' as const;

  constructor(private readonly worker: CrmWorkerService) {
    super();
  }

  async handle(payload: RunCrmPartition, signal: AbortSignal): Promise<void> {
    await this.worker.run(payload, signal);
  }
}
