import { MailboxSenderService } from '@domain/sending';
import { Processor } from '@nestjs/bullmq';
import { getWorkerOptions } from '@platform/queues';
import { type RunWorkPartition } from '@platform/work-partitions';
import { JobProcessor } from '../jobs';

/** Runs the mailbox sender of a mailbox. */
@Processor('mailbox-send', getWorkerOptions('mailbox-send'))
export class MailboxSendProcessor extends JobProcessor<RunWorkPartition> {
  constructor(private readonly sender: MailboxSenderService) {
    super();
  }

  async handle({ workspaceId, partitionId: mailboxId }: RunWorkPartition, signal: AbortSignal): Promise<void> {
    await this.sender.run({ workspaceId, mailboxId }, signal);
  }
}
