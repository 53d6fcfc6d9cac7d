import {
  type ComposedMessage,
  type MailSession,
  MailSessionPool,
  type NotAccepted,
  type SendOutcome,
} from '@adapters/mail';
import { getHandoverLabels, MailboxAccountService, type MailboxRecord, PROTOCOLS } from '@domain/mailboxes';
import { Injectable } from '@nestjs/common';
import { MetricsService, measureTime } from '@platform/observability';

/** The outcome of a handover. */
export interface MessageHandover {
  readonly outcome: SendOutcome;
  /** The start of the handover: from then on the server may have the message. Null if there was none. */
  readonly handoverAt: Date | null;
  readonly draftId: string | null;
  /** False if there was no message to hand over. */
  readonly isComposed: boolean;
}

export interface HandoverOptions {
  /** Marks the message right before its handover and returns that moment; null forbids the handover. */
  readonly mark: (draftId: string | null) => Promise<Date | null>;
  /** The provider's thread of the message. */
  readonly threadId?: string | null;
  readonly limits: HandoverLimits;
}

export interface HandoverLimits {
  /** Aborting before the handover withholds the message. */
  readonly signal?: AbortSignal;
  /** Ends the handover at any stage (`SendOptions.deadline`). */
  readonly deadline?: AbortSignal;
}

/** Hands composed messages over to the servers of mailboxes. */
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
   * Never retries.
   * @throws any error that does not come from the mail server: then the handover did not begin, or it is ambiguous
   */
  async handOver(
    mailbox: MailboxRecord,
    message: ComposedMessage,
    { mark, threadId, limits }: HandoverOptions,
  ): Promise<MessageHandover> {
    const handover = { handoverAt: null as Date | null, draftId: null as string | null };
    const account = this.accounts.toAccount(mailbox);
    const give = (session: MailSession) =>
      session.send(message, {
        beforeHandover: async ({ draftId }) => {
          handover.draftId = draftId;
          handover.handoverAt = limits.signal?.aborted ? null : await mark(draftId);
          return handover.handoverAt !== null;
        },
        ...(threadId && { threadId }),
        ...limits,
      });
    const outcome = await measureTime(this.metrics.handovers, getHandoverLabels(account), () =>
      this.sessions.use(account, give),
    );
    return { outcome, ...handover, isComposed: true };
  }
}

/** The outcome of an email whose handover did not begin. */
export function toDeferred(met: Pick<NotAccepted, 'stage' | 'message'> & Partial<NotAccepted>): NotAccepted {
  return { kind: 'temporary', failure: 'temporary', lastReply: null, retryAfterMs: null, ...met };
}

/** An email that cannot be composed is deferred like one that its server defers, so that others need not wait. */
export function toNotCreated(error: unknown): NotAccepted {
  const message = `The email could not be composed: ${error instanceof Error ? error.message : String(error)}`;
  return toDeferred({ stage: 'request', message });
}
