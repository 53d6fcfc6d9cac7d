import { CrmWorkerService, type RunCrmPartition } from '@domain/crm';
import { Injectable } from '@nestjs/common';
import { JobProcessor } from '../jobs';

/** Runs due CRM work of a workspace. */
@Injectable()
export class CrmWorkProcessor extends JobProcessor<RunCrmPartition> {
  readonly queue = 'crm-lane' as const;

  constructor(private readonly crmWorker: CrmWorkerService) {
    super();
  }

  async handle(payload: RunCrmPartition, signal: AbortSignal): Promise<void> {
    await this.crmWorker.run(payload, signal);
  }
}
