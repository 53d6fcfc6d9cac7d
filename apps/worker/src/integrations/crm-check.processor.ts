import { CrmCheckService } from '@domain/crm';
import { Injectable } from '@nestjs/common';
import { type JobPayload } from '@platform/queues';
import { JobProcessor } from '../jobs';

/** Checks CRM connections that were not used for a day. */
@Injectable()
export class CrmCheckProcessor extends JobProcessor {
  readonly queue = 'crm-check' as const;

  constructor(private readonly checks: CrmCheckService) {
    super();
  }

  async handle(_payload: JobPayload, signal: AbortSignal): Promise<void> {
    await this.checks.checkIdle(signal);
  }
}
