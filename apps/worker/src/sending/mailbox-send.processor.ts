import { MailboxSenderService } from '@domain/sending';
import { type RunMailboxSend } from '@domain/sends';
import { Processor } from '@nestjs/bullmq';
import { getWorkerOptions } from '@platform/queues';
import { JobProcessor } from '../jobs';

/** Runs the mailbox sender of a mailbox. */
@Processor('mailbox-send', getWorkerOptions('mailbox-send'))
export class MailboxSendProcessor extends JobProcessor<RunMailboxSend> {
  constructor(private readonly sender: MailboxSenderService) {
    super();
  }

  async handle(payload: RunMailboxSend, signal: AbortSignal): Promise<void> {
    await this.sender.run(payload, signal);
  }
}
