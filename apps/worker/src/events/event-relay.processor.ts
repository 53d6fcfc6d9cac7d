import { EventRelayService } from '@domain/events';
import { Injectable } from '@nestjs/common';
import { type JobPayload } from '@platform/queues';
import { JobProcessor } from '../jobs';

/** Relays due events to their subscribers. */
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
