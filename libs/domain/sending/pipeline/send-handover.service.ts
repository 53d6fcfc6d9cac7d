import { type ComposedMessage, MailError, type NotAccepted, type SendOutcome, composeMessage } from '@adapters/mail';
import { MailIntakeService } from '@domain/inbox';
import { TrackingUrlsService } from '@domain/tracking';
import { Injectable } from '@nestjs/common';
import { ClockPort } from '@platform/clock';
import { renderClaim } from '../render/claim-rendering';
import { type RenderedEmail } from '../render/email-content';
import { describeMissingValue } from '../render/missing-value-message';
import { SendBatchService } from './batching/send-batch.service';
import { isLate } from './mailbox-send-interval';
import { type SenderMailbox } from './mailbox-sender-cache';
import { MessageHandoverService, toDeferred, toNotCreated } from './message-handover.service';
import { type Claim, SendClaimService } from './send-claim.service';
import { SendGuardService } from './send-guard.service';

/** A follow-up leaves only if the mailbox was read within this time, so that a reply stops it. */
const FRESH_MS = 60_000;
/** Cooldown of a mailbox that cannot be read. */
const UNREADABLE_COOLDOWN_MS = 5 * 60_000;

/** The outcome of handing over a claimed email. */
export interface Handover {
  readonly outcome: SendOutcome;
  /** Whether the handover began: from then on the server may have the message. */
  readonly isHandedOver: boolean;
  /** When it began. */
  readonly handoverAt: Date | null;
  readonly email: Extract<RenderedEmail, { ok: true }> | null;
  readonly draftId: string | null;
  /** There was no handover because the mailbox cannot be read now; this concerns follow-ups only. */
  readonly isUnread?: true;
}

/** Hands a claimed email over to the mailbox's server, unless the last check forbids it. */
@Injectable()
export class SendHandoverService {
  constructor(
    private readonly urls: TrackingUrlsService,
    private readonly messages: MessageHandoverService,
    private readonly intake: MailIntakeService,
    private readonly claims: SendClaimService,
    private readonly guard: SendGuardService,
    private readonly batches: SendBatchService,
    private readonly clock: ClockPort,
  ) {}

  /**
   * Never retries.
   * @throws any error that does not come from the mail server: then the handover did not begin, or the send is
   *   ambiguous
   */
  async handOver(mailbox: SenderMailbox, claim: Claim, signal: AbortSignal): Promise<Handover> {
    const { record } = mailbox;
    const stale = claim.wasNew ? null : await this.#refresh(mailbox, signal);
    if (stale) return { ...withoutHandover(stale), isUnread: true };
    const made = await this.#createMessage(mailbox, claim);
    if ('kind' in made) return withoutHandover(made);
    const { email, message } = made;
    const mark = async (draftId: string | null) => {
      const now = this.clock.now();
      if (isLate(claim.at, now) && !(await this.claims.recordLateHandover(mailbox, claim, now))) return null;
      if (!(await this.guard.allows(mailbox, claim))) return null;
      const { subject, links } = email;
      const at = this.clock.now();
      return (await this.batches.markSending(claim.send, { subject, links, draftId, at })) ? at : null;
    };
    const threadId = claim.lead.record.thread?.providerThreadId ?? null;
    const handover = await this.messages.handOver(record, message, { mark, threadId, signal });
    return { ...handover, email, isHandedOver: handover.handoverAt !== null };
  }

  async #createMessage({ record }: SenderMailbox, claim: Claim): Promise<Made | NotAccepted> {
    try {
      const date = this.clock.now();
      const urls = await this.urls.urlsOf(claim.send.workspaceId);
      const email = renderClaim(record, claim, { urls, date });
      if (!email.ok) throw new Error(`there is no ${email.missing.map(describeMissingValue).join(', no ')}`);
      return { email, message: await composeMessage(email.input) };
    } catch (error) {
      return toNotCreated(error);
    }
  }

  /**
   * Reads the mailbox unless it was read within the last minute, so that leads that have answered are stopped.
   * Returns the outcome if the mailbox cannot be read now.
   */
  async #refresh({ record }: SenderMailbox, signal: AbortSignal): Promise<SendOutcome | null> {
    try {
      await this.intake.ensureFresh(record, FRESH_MS, signal);
      return null;
    } catch (error) {
      if (signal.aborted) return { kind: 'withheld' };
      if (!(error instanceof MailError)) throw error;
      // The failure does not concern this email and is already stored with the mailbox.
      const { message, lastReply, retryAfterMs } = error;
      // The wait that the server asks for also binds the next holder of the lease.
      if (retryAfterMs !== null) return toDeferred({ stage: 'request', message, lastReply, retryAfterMs });
      return toDeferred({
        stage: 'busy',
        message,
        lastReply,
        retryAfterMs: error.stage === 'busy' ? null : UNREADABLE_COOLDOWN_MS,
      });
    }
  }
}

interface Made {
  readonly email: Extract<RenderedEmail, { ok: true }>;
  readonly message: ComposedMessage;
}

function withoutHandover(outcome: SendOutcome): Handover {
  return { outcome, isHandedOver: false, handoverAt: null, email: null, draftId: null };
}
