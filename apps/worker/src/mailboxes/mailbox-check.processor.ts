import { type CheckMailbox, MailboxCheckService } from '@domain/mailboxes';
import { Processor } from '@nestjs/bullmq';
import { getWorkerOptions } from '@platform/queues';
import { JobProcessor } from '../jobs';

/** Checks a mailbox again that could not be reached. */
@Processor('mailbox-check', getWorkerOptions('mailbox-check'))
export class MailboxCheckProcessor extends JobProcessor<CheckMailbox> {
  constructor(private readonly checks: MailboxCheckService) {
    super();
  }

  async handle(payload: CheckMailbox, signal: AbortSignal): Promise<void> {
    await this.checks.check(payload, signal);
  }
}
