import { LeadResumptionService } from '@domain/leads';
import { Injectable } from '@nestjs/common';
import { type JobPayload } from '@platform/queues';
import { JobProcessor } from '../jobs';

/** Resumes leads whose pause is over. */
@Injectable()
export class LeadResumeProcessor extends JobProcessor {
  readonly queue = 'lead-resume' as const;

  constructor(private readonly resumption: LeadResumptionService) {
    super();
  }

  async handle(_payload: JobPayload, signal: AbortSignal): Promise<void> {
    await this.resumption.resumeDue(signal);
  }
}
