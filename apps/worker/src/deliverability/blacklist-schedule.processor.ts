import { BlacklistSchedulesService } from '@domain/deliverability';
import { Injectable } from '@nestjs/common';
import { type JobPayload } from '@platform/queues';
import { JobProcessor } from '../jobs';

/** Starts the blacklist tests of due schedules. */
@Injectable()
export class BlacklistScheduleProcessor extends JobProcessor {
  readonly queue = 'blacklist-schedule' as const;

  constructor(private readonly schedules: BlacklistSchedulesService) {
    super();
  }

  async handle(_payload: JobPayload, signal: AbortSignal): Promise<void> {
    await this.schedules.runDue(signal);
  }
}
