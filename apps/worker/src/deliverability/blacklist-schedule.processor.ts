import { ScheduleRunsService } from '@domain/deliverability';
import { Injectable } from '@nestjs/common';
import { type JobPayload } from '@platform/queues';
import { JobProcessor } from '../jobs';

/** Starts due scheduled blacklist tests. */
@Injectable()
export class BlacklistScheduleProcessor extends JobProcessor {
  readonly queue = 'blacklist-schedule' as const;

  constructor(private readonly schedules: ScheduleRunsService) {
    super();
  }

  async handle(_payload: JobPayload, signal: AbortSignal): Promise<void> {
    await this.schedules.run(signal);
  }
}
