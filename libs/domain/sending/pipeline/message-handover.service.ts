import {
  type ComposedMessage,
  type MailSession,
  MailSessionPool,
  type NotAccepted,
  type SendOutcome,
} from '@adapters/mail';
import { getHandoverLabels, MailboxAccountService, PROTOCOLS, type MailboxRecord } from '@domain/mailboxes';
import { Injectable } from '@nestjs/common';
import { MetricsService, timed } from '@platform/observability';

/** What became of giving a message to a server. */
export interface MessageHandover {
  readonly outcome: SendOutcome;
  /** Since when the server was being given the message: from then on it may have it. null: it never was. */
  readonly wiredAt: Date | null;
  readonly draftId: string | null;
}

export interface HandoverOptions {
  /** The last word before the server is given the message: marks it, and says when it did; null: it must not be given. */
  readonly mark: (draftId: string | null) => Promise<Date | null>;
  /** The vendor's conversation to put it into. */
  readonly threadId?: string | null;
  readonly signal: AbortSignal;
}

/** Gives finished messages to the servers of mailboxes. */
@Injectable()
export class MessageHandoverService {
  constructor(
    private readonly accounts: MailboxAccountService,
    private readonly sessions: MailSessionPool,
    private readonly metrics: MetricsService,
  ) {
    for (const protocol of PROTOCOLS) metrics.handovers.zero({ protocol, outcome: 'fault' });
  }

  /**
   * Never repeats what it does.
   * @throws whatever is not the mail server's doing: then nothing was given, or it was marked and the outcome is ambiguous
   */
  async give(
    mailbox: MailboxRecord,
    message: ComposedMessage,
    { mark, threadId, signal }: HandoverOptions,
  ): Promise<MessageHandover> {
    const given = { wiredAt: null as Date | null, draftId: null as string | null };
    const account = this.accounts.toAccount(mailbox);
    const give = (session: MailSession) =>
      session.send(message, {
        beforeHandover: async ({ draftId }) => {
          given.draftId = draftId;
          given.wiredAt = signal.aborted ? null : await mark(draftId);
          return given.wiredAt !== null;
        },
        ...(threadId && { threadId }),
        signal,
      });
    const outcome = await timed(this.metrics.handovers, getHandoverLabels(account), () =>
      this.sessions.use(account, give),
    );
    return { outcome, ...given };
  }
}

/** What is said of an email that did not even come to its server. */
export function notNow(met: Pick<NotAccepted, 'stage' | 'message'> & Partial<NotAccepted>): NotAccepted {
  return { kind: 'temporary', failure: 'temporary', words: null, retryAfterMs: null, ...met };
}

/** An email that cannot be made is like one that its server does not take now: others must not wait for it. */
export function notMade(error: unknown): NotAccepted {
  const message = `The email could not be made: ${error instanceof Error ? error.message : String(error)}`;
  return notNow({ stage: 'request', message });
}
