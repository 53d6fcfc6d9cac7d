import { Injectable } from '@nestjs/common';
import { MailError, type MailFailure, MailSessionPool } from '@adapters/mail';
import { isDatabaseUnavailable } from '@platform/database';
import { LogService } from '@platform/observability';
import { MailboxAccountService } from './mailbox-account.service';
import { findFailure, type HalfFailure } from './mailbox-check';
import { type MailboxRecord } from './schemas/mailbox.record';

/** Whether a stored mailbox can be worked with. */
@Injectable()
export class MailboxTrialService {
  constructor(
    private readonly accounts: MailboxAccountService,
    private readonly sessions: MailSessionPool,
    private readonly log: LogService,
  ) {}

  /**
   * Logs in to both halves. What failed, or null when both work. It is about the connection and nothing else: what is
   * refused for good is a try that failed like any other.
   * @throws what the database throws while it is away
   */
  async findFailure(mailbox: MailboxRecord, signal?: AbortSignal): Promise<HalfFailure | null> {
    try {
      const account = this.accounts.toAccount(mailbox);
      const failed = findFailure(await this.sessions.use(account, (session) => session.verify(signal)));
      return failed && { ...failed, failure: toConnectionFailure(failed.failure) };
    } catch (error) {
      if (isDatabaseUnavailable(error)) throw error;
      if (error instanceof MailError) return { failure: toConnectionFailure(error), half: 'outgoing' };
      // A key that is missing, a bug: tried again like any other failure, and its words stay in the log.
      this.log.error('A mailbox could not be checked', error, { mailboxId: mailbox._id.toHexString() });
      return { failure: ourFault, half: 'outgoing' };
    }
  }
}

const ourFault: MailFailure = {
  failure: 'temporary',
  stage: 'login',
  message: 'The mailbox could not be checked because of a fault of this installation',
  words: null,
  retryAfterMs: null,
};

function toConnectionFailure(failed: MailFailure): MailFailure {
  const { failure, stage, message, words, retryAfterMs } = failed;
  if (stage === 'busy') return failed;
  const isHumans = failure === 'needs-human';
  return { failure: isHumans ? failure : 'temporary', stage: 'login', message, words, retryAfterMs };
}
