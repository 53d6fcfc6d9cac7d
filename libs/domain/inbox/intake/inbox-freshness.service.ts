import { MailError } from '@adapters/mail';
import { MailboxSyncService, MailboxMessageRepository, type MailboxRecord } from '@domain/mailboxes';
import { Injectable } from '@nestjs/common';
import { MailIntakeService } from './mail-intake.service';

/** Ensures that new mail in a mailbox has taken effect before the next email: a lead that has replied is stopped. */
@Injectable()
export class InboxFreshnessService {
  constructor(
    private readonly mailboxes: MailboxSyncService,
    private readonly mail: MailboxMessageRepository,
    private readonly intake: MailIntakeService,
  ) {}

  /**
   * Returns once the mailbox was read completely within the last `maxAgeMs` milliseconds and all its mail is classified.
   * @throws MailError when the mailbox or a message in it cannot be read now; the reason of `signal` when it is aborted
   */
  async ensure(mailbox: MailboxRecord, maxAgeMs: number, signal: AbortSignal): Promise<void> {
    await this.mailboxes.ensureFresh(mailbox, maxAgeMs, signal);
    const arrival = { workspaceId: mailbox.workspaceId.toHexString(), mailboxId: mailbox._id.toHexString() };
    if (!(await this.mail.hasUnfinished(arrival))) return;
    await this.intake.process(arrival, signal);
    if (!(await this.mail.hasUnfinished(arrival))) return;
    // Stage `busy`: the server did not ask for a pause, so the mailbox gets no cooldown.
    const message = 'A message that came into the mailbox cannot be read yet';
    throw new MailError({ failure: 'temporary', stage: 'busy', message });
  }
}
