import { MailboxSenderService } from '@domain/sending';
import { type RunMailboxSend } from '@domain/sends';
import { Injectable } from '@nestjs/common';
import { JobProcessor } from '../jobs';

/** Runs the mailbox sender of a mailbox. */
@Injectable()
export class MailboxSendProcessor extends JobProcessor<RunMailboxSend> {
  readonly queue = 'mailbox-send' as const;

  constructor(private readonly sender: MailboxSenderService) {
    super();
  }

  async handle(payload: RunMailboxSend, signal: AbortSignal): Promise<void> {
    await this.sender.run(payload, signal);
  }
}
