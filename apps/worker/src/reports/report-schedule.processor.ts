import { ReportScheduleService } from '@domain/reports';
import { Injectable } from '@nestjs/common';
import { type JobPayload } from '@platform/queues';
import { JobProcessor } from '../jobs';

/** Creates the reports of recipients that are due. */
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
