import { composeMessage, MailError, type MailSession, MailSessions, type SendOutcome } from '@adapters/mail';
import { MailboxAccounts, MailboxFreshness } from '@domain/mailboxes';
import { Sends } from '@domain/sends';
import { Injectable } from '@nestjs/common';
import { Clock } from '@platform/clock';
import { type RenderedEmail } from '../render/email.content';
import { EmailRendering } from '../render/email.rendering.service';
import { type Claim } from './claim.service';
import { type TurnMailbox } from './engine.world';
import { WireGuard } from './wire.guard.service';

/** A reply that has come in by now must have been seen before the next email goes to whoever wrote it. */
const FRESH_MS = 60_000;

/** What became of handing over a claimed email. */
export interface Handover {
  readonly outcome: SendOutcome;
  /** The server was being given the message: from then on it may have it. */
  readonly wired: boolean;
  readonly email: Extract<RenderedEmail, { ok: true }> | null;
  readonly draftId: string | null;
}

/** Gives a claimed email to the mailbox's server, unless something forbids it at the last moment. */
@Injectable()
export class Handovers {
  constructor(
    private readonly rendering: EmailRendering,
    private readonly accounts: MailboxAccounts,
    private readonly sessions: MailSessions,
    private readonly freshness: MailboxFreshness,
    private readonly guard: WireGuard,
    private readonly sends: Sends,
    private readonly clock: Clock,
  ) {}

  /**
   * Never repeats what it does.
   * @throws whatever is not the mail server's doing: then nothing was given, or `wired` was written and the outcome is
   *   ambiguous
   */
  async give(mailbox: TurnMailbox, claim: Claim, signal: AbortSignal): Promise<Handover> {
    const { record } = mailbox;
    const stale = claim.wasNew ? null : await this.#refresh(mailbox, signal);
    if (stale) return nothingGiven(stale);
    const email = this.rendering.render(record, claim, this.clock.now());
    // The lead has lost a value since the plan: the next plan says so.
    if (!email.ok) return nothingGiven({ kind: 'withheld' });
    const message = await composeMessage(email.input);
    const given = { wired: false, draftId: null as string | null };
    const outcome = await this.sessions.use(this.accounts.of(record), (session: MailSession) =>
      session.send(message, {
        beforeHandover: async ({ draftId }) => {
          given.draftId = draftId;
          if (signal.aborted || !(await this.guard.allows(mailbox, claim))) return false;
          const { subject, links } = email;
          given.wired = await this.sends.toWire(claim.send, { subject, links, draftId, at: this.clock.now() });
          return given.wired;
        },
        ...(claim.lead.record.thread?.providerThreadId && { threadId: claim.lead.record.thread.providerThreadId }),
        signal,
      }),
    );
    return { outcome, email, ...given };
  }

  /** Reads the mailbox if that was not done within the last minute; the failure when it cannot be read now. */
  async #refresh({ record }: TurnMailbox, signal: AbortSignal): Promise<SendOutcome | null> {
    try {
      await this.freshness.ensure(record, FRESH_MS, signal);
      return null;
    } catch (error) {
      if (error instanceof MailError) return { ...failureFields(error), kind: error.failure };
      throw error;
    }
  }
}

function nothingGiven(outcome: SendOutcome): Handover {
  return { outcome, wired: false, email: null, draftId: null };
}

function failureFields({ failure, stage, message, words, retryAfterMs }: MailError) {
  return { failure, stage, message, words, retryAfterMs };
}
