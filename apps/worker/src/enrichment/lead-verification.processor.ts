import { LeadVerificationJobService, type VerifyLeads } from '@domain/enrichment';
import { Processor } from '@nestjs/bullmq';
import { getWorkerOptions } from '@platform/queues';
import { JobProcessor } from '../jobs';

/** Verifies the addresses of unverified leads. */
@Processor('lead-verification', getWorkerOptions('lead-verification'))
export class LeadVerificationProcessor extends JobProcessor<VerifyLeads> {
  constructor(private readonly verification: LeadVerificationJobService) {
    super();
  }

  async handle(payload: VerifyLeads, signal: AbortSignal): Promise<void> {
    await this.verification.run(payload, signal);
  }
}
