import { MailError } from '@adapters/mail';
import { MailboxSyncService, MailboxMessageRepository, type MailboxRecord } from '@domain/mailboxes';
import { Injectable } from '@nestjs/common';
import { MailIntakeService } from './mail-intake.service';

/** Makes sure that what has come into a mailbox has had its effect: who has answered is stopped. */
@Injectable()
export class InboxFreshnessService {
  constructor(
    private readonly mailboxes: MailboxSyncService,
    private readonly mail: MailboxMessageRepository,
    private readonly intake: MailIntakeService,
  ) {}

  /**
   * Returns when the mailbox has been read to its end within the last `maxAgeMs` milliseconds and all of it is judged.
   * @throws MailError when it cannot be read now, or a message in it cannot be judged yet; what `signal` was aborted with
   */
  async ensure(mailbox: MailboxRecord, maxAgeMs: number, signal: AbortSignal): Promise<void> {
    await this.mailboxes.ensureFresh(mailbox, maxAgeMs, signal);
    const arrival = { workspaceId: mailbox.workspaceId.toHexString(), mailboxId: mailbox._id.toHexString() };
    if (!(await this.mail.hasUnfinished(arrival))) return;
    await this.intake.process(arrival, signal);
    if (!(await this.mail.hasUnfinished(arrival))) return;
    // Nothing that the server has asked for: the mailbox itself need not rest.
    const message = 'A message that came into the mailbox cannot be read yet';
    throw new MailError({ failure: 'temporary', stage: 'busy', message });
  }
}
