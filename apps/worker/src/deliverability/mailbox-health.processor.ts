import { type CheckDomainHealth, DomainHealthJobService } from '@domain/deliverability';
import { Processor } from '@nestjs/bullmq';
import { getWorkerOptions } from '@platform/queues';
import { JobProcessor } from '../jobs';

/** Checks the DNS records of a sending domain. */
@Processor('mailbox-health', getWorkerOptions('mailbox-health'))
export class MailboxHealthProcessor extends JobProcessor<CheckDomainHealth> {
  constructor(private readonly runs: DomainHealthJobService) {
    super();
  }

  async handle(payload: CheckDomainHealth, signal: AbortSignal): Promise<void> {
    await this.runs.run(payload, signal);
  }
}
