import { type CheckMailbox, MailboxCheckService } from '@domain/mailboxes';
import { Injectable } from '@nestjs/common';
import { JobProcessor } from '../jobs';

/** Checks a disconnected mailbox again. */
@Injectable()
export class MailboxCheckProcessor extends JobProcessor<CheckMailbox> {
  readonly queue = 'mailbox-check' as const;

  constructor(private readonly checks: MailboxCheckService) {
    super();
  }

  async handle(payload: CheckMailbox, signal: AbortSignal): Promise<void> {
    await this.checks.check(payload, signal);
  }
}
