import { EventRelayService } from '@domain/events';
import { Injectable } from '@nestjs/common';
import { type JobPayload } from '@platform/queues';
import { JobProcessor } from '../jobs';

/** Hands what happened to those who want to know. */
@Injectable()
export class EventRelayProcessor extends JobProcessor {
  readonly queue = 'event-relay' as const;

  constructor(private readonly relay: EventRelayService) {
    super();
  }

  async handle(_payload: JobPayload, signal: AbortSignal): Promise<void> {
    await this.relay.relay(signal);
  }
}
