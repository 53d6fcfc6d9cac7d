import { TrackingHostChecksService } from '@domain/tracking';
import { Injectable } from '@nestjs/common';
import { type JobPayload } from '@platform/queues';
import { JobProcessor } from '../jobs';

/** Checks that the tracking hosts of workspaces still resolve to this installation. */
@Injectable()
export class TrackingHostsProcessor extends JobProcessor {
  readonly queue = 'tracking-hosts' as const;

  constructor(private readonly hosts: TrackingHostChecksService) {
    super();
  }

  async handle(_payload: JobPayload, signal: AbortSignal): Promise<void> {
    await this.hosts.checkDue(signal);
  }
}
