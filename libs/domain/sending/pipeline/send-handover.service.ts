import { type ComposedMessage, composeMessage, MailError, type NotAccepted, type SendOutcome } from '@adapters/mail';
import { InboxFreshnessService } from '@domain/inbox';
import { Injectable } from '@nestjs/common';
import { ClockPort } from '@platform/clock';
import { type RenderedEmail } from '../render/email-content';
import { EmailRenderingService } from '../render/email-rendering.service';
import { describeMissingValue } from '../render/missing-value-message';
import { type Claim, SendClaimService } from './send-claim.service';
import { type SenderMailbox } from './mailbox-sender-cache';
import { WireGroupsService } from './batching/wire-groups.service';
import { MessageHandoverService, notMade, notNow } from './message-handover.service';
import { isLate } from './mailbox-send-pace';
import { SendGuardService } from './send-guard.service';

/** A reply that has come in by now must have been seen before the next email goes to whoever wrote it. */
const FRESH_MS = 60_000;
/** How long a mailbox rests that cannot be read. */
const UNREADABLE_REST_MS = 5 * 60_000;

/** What became of handing over a claimed email. */
export interface Handover {
  readonly outcome: SendOutcome;
  /** The server was being given the message: from then on it may have it. */
  readonly wired: boolean;
  /** Since when it was. */
  readonly wiredAt: Date | null;
  readonly email: Extract<RenderedEmail, { ok: true }> | null;
  readonly draftId: string | null;
  /** It was not even tried, since the mailbox cannot be read now: that holds for its follow-ups and for nothing else. */
  readonly isUnread?: true;
}

/** Gives a claimed email to the mailbox's server, unless something forbids it at the last moment. */
@Injectable()
export class SendHandoverService {
  constructor(
    private readonly rendering: EmailRenderingService,
    private readonly messages: MessageHandoverService,
    private readonly freshness: InboxFreshnessService,
    private readonly claims: SendClaimService,
    private readonly guard: SendGuardService,
    private readonly wires: WireGroupsService,
    private readonly clock: ClockPort,
  ) {}

  /**
   * Never repeats what it does.
   * @throws whatever is not the mail server's doing: then nothing was given, or `wired` was written and the outcome is
   *   ambiguous
   */
  async give(mailbox: SenderMailbox, claim: Claim, signal: AbortSignal): Promise<Handover> {
    const { record } = mailbox;
    const stale = claim.wasNew ? null : await this.#refresh(mailbox, signal);
    if (stale) return { ...nothingGiven(stale), isUnread: true };
    const made = await this.#made(mailbox, claim);
    if ('kind' in made) return nothingGiven(made);
    const { email, message } = made;
    const mark = async (draftId: string | null) => {
      const now = this.clock.now();
      if (isLate(claim.at, now) && !(await this.claims.isLate(mailbox, claim, now))) return null;
      if (!(await this.guard.allows(mailbox, claim))) return null;
      const { subject, links } = email;
      const at = this.clock.now();
      return (await this.wires.markSending(claim.send, { subject, links, draftId, at })) ? at : null;
    };
    const threadId = claim.lead.record.thread?.providerThreadId ?? null;
    const given = await this.messages.give(record, message, { mark, threadId, signal });
    return { ...given, email, wired: given.wiredAt !== null };
  }

  async #made({ record }: SenderMailbox, claim: Claim): Promise<Made | NotAccepted> {
    try {
      const email = await this.rendering.render(record, claim, this.clock.now());
      if (!email.ok) throw new Error(`there is no ${email.missing.map(describeMissingValue).join(', no ')}`);
      return { email, message: await composeMessage(email.input) };
    } catch (error) {
      return notMade(error);
    }
  }

  /**
   * Reads the mailbox if that was not done within the last minute, and takes in what has come: who has answered is stopped.
   * Returns what keeps it from being read now.
   */
  async #refresh({ record }: SenderMailbox, signal: AbortSignal): Promise<SendOutcome | null> {
    try {
      await this.freshness.ensure(record, FRESH_MS, signal);
      return null;
    } catch (error) {
      if (signal.aborted) return { kind: 'withheld' };
      if (!(error instanceof MailError)) throw error;
      // Whatever the reading met says nothing about this email, and is noted on the mailbox already.
      const { message, words, retryAfterMs } = error;
      // How long the server wants to be left alone holds for whoever has the mailbox's turn next.
      if (retryAfterMs !== null) return notNow({ stage: 'request', message, words, retryAfterMs });
      return notNow({
        stage: 'busy',
        message,
        words,
        retryAfterMs: error.stage === 'busy' ? null : UNREADABLE_REST_MS,
      });
    }
  }
}

interface Made {
  readonly email: Extract<RenderedEmail, { ok: true }>;
  readonly message: ComposedMessage;
}

function nothingGiven(outcome: SendOutcome): Handover {
  return { outcome, wired: false, wiredAt: null, email: null, draftId: null };
}
