import { LeadPauseService } from '@domain/leads';
import { Injectable } from '@nestjs/common';
import { type JobPayload } from '@platform/queues';
import { JobProcessor } from '../jobs';

/** Resumes leads whose pause has ended. */
@Injectable()
export class LeadResumeProcessor extends JobProcessor {
  readonly queue = 'lead-resume' as const;

  constructor(private readonly pauses: LeadPauseService) {
    super();
  }

  async handle(_payload: JobPayload, signal: AbortSignal): Promise<void> {
    await this.pauses.resumeDue(signal);
  }
}
