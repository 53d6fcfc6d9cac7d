import { MailboxErasureService } from '@domain/mailboxes';
import { Injectable } from '@nestjs/common';
import { type JobPayload } from '@platform/queues';
import { JobProcessor } from '../jobs';

/** Erases the data of deleted mailboxes. */
@Injectable()
export class MailboxErasureProcessor extends JobProcessor {
  readonly queue = 'mailbox-erasure' as const;

  constructor(private readonly erasure: MailboxErasureService) {
    super();
  }

  async handle(_payload: JobPayload, signal: AbortSignal): Promise<void> {
    await this.erasure.clear(signal);
  }
}
