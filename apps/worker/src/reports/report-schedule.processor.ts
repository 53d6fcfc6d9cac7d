import { ReportScheduleService } from '@domain/reports';
import { Injectable } from '@nestjs/common';
import { type JobPayload } from '@platform/queues';
import { JobProcessor } from '../jobs';

/** Starts the due reports of recipients. */
@Injectable()
export class ReportScheduleProcessor extends JobProcessor {
  readonly queue = 'report-schedule' as const;

  constructor(private readonly planner: ReportScheduleService) {
    super();
  }

  async handle(_payload: JobPayload, signal: AbortSignal): Promise<void> {
    await this.planner.run(signal);
  }
}
