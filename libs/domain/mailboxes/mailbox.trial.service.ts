import { Injectable } from '@nestjs/common';
import { type CheckResult, MailError, type MailFailure, MailSessions } from '@adapters/mail';
import { isDatabaseUnavailable } from '@platform/database';
import { Log } from '@platform/observability';
import { MailboxAccounts } from './mailbox.accounts.service';
import { type MailboxRecord, type MailHalf } from './schemas/mailbox.record';

export interface TrialFailure {
  readonly failure: MailFailure;
  readonly half: MailHalf;
}

/** Whether a stored mailbox can be worked with. */
@Injectable()
export class MailboxTrial {
  constructor(
    private readonly accounts: MailboxAccounts,
    private readonly sessions: MailSessions,
    private readonly log: Log,
  ) {}

  /**
   * Logs in to both halves. What failed, or null when both work. It is about the connection and nothing else: what is
   * refused for good is a try that failed like any other.
   * @throws what the database throws while it is away
   */
  async failureOf(mailbox: MailboxRecord, signal?: AbortSignal): Promise<TrialFailure | null> {
    try {
      const account = this.accounts.of(mailbox);
      const { outgoing, incoming } = await this.sessions.use(account, (session) => session.verify(signal));
      return failureIn(outgoing, 'outgoing') ?? failureIn(incoming, 'incoming');
    } catch (error) {
      if (isDatabaseUnavailable(error)) throw error;
      if (error instanceof MailError) return { failure: counted(error), half: 'outgoing' };
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

function failureIn(result: CheckResult, half: MailHalf): TrialFailure | null {
  return result.ok ? null : { failure: counted(result), half };
}

function counted({ failure, message, words, retryAfterMs }: MailFailure): MailFailure {
  const isHumans = failure === 'needs-human';
  return { failure: isHumans ? failure : 'temporary', stage: 'login', message, words, retryAfterMs };
}
