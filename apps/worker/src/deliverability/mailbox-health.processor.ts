import { type CheckDomainHealth, DomainHealthJobService } from '@domain/deliverability';
import { Injectable } from '@nestjs/common';
import { JobProcessor } from '../jobs';

/** Checks the DNS records of a sending domain. */
@Injectable()
export class MailboxHealthProcessor extends JobProcessor<CheckDomainHealth> {
  readonly queue = 'mailbox-health' as const;

  constructor(private readonly runs: DomainHealthJobService) {
    super();
  }

  async handle(payload: CheckDomainHealth, signal: AbortSignal): Promise<void> {
    await this.runs.run(payload, signal);
  }
}
