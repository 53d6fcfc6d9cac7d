import { UnreadableMessageService } from '@domain/mailboxes';
import { Injectable } from '@nestjs/common';
import { type JobPayload } from '@platform/queues';
import { JobProcessor } from '../jobs';

/** Reads messages again that a mail server did not return. */
@Injectable()
export class UnreadableMailProcessor extends JobProcessor {
  readonly queue = 'unreadable-mail' as const;

  constructor(private readonly unreadable: UnreadableMessageService) {
    super();
  }

  async handle(_payload: JobPayload, signal: AbortSignal): Promise<void> {
    await this.unreadable.retryDue(signal);
  }
}
