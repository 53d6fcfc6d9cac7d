import { LeadVerificationTurnsService, type VerifyLeads } from '@domain/enrichment';
import { Injectable } from '@nestjs/common';
import { JobProcessor } from '../jobs';

/** Verifies the addresses of unverified leads. */
@Injectable()
export class LeadVerificationProcessor extends JobProcessor<VerifyLeads> {
  readonly queue = 'lead-verification' as const;

  constructor(private readonly verification: LeadVerificationTurnsService) {
    super();
  }

  async handle(payload: VerifyLeads, signal: AbortSignal): Promise<void> {
    await this.verification.run(payload, signal);
  }
}
