import { type SendOutcome } from '@adapters/mail';
import { systemScope } from '@domain/access';
import { EventsService } from '@domain/events';
import { MailboxConnectionService, type MailboxRecord, type MailboxSendingState } from '@domain/mailboxes';
import { MailboxLeaseService } from '@domain/sends';
import { type NewSuppressions, type SuppressionOrigin, SuppressionsService } from '@domain/suppressions';
import { Injectable } from '@nestjs/common';
import { ClockPort } from '@platform/clock';
import { TransactionService } from '@platform/database';
import { LogService } from '@platform/observability';
import { returnToken, takeToken } from '../decide/tokens';
import { MailboxReadBatchService } from './batching/mailbox-read-batch.service';
import { MailboxLeaseLostError } from './mailbox-lease-lost.errors';
import { isLate } from './mailbox-send-interval';
import {
  type HandoverLimits,
  type MessageHandover,
  MessageHandoverService,
  toNotCreated,
} from './message-handover.service';
import { decideSendOutcome, type Verdict } from './outcome-decision';
import {
  type AttemptedMail,
  type ComposedMail,
  type MailClaim,
  type MailRecipient,
  type OutboundMail,
  type OutboundMailSource,
  type ReleasedMail,
  type SettledMail,
  type SupersededPart,
} from './outbound-mail-source';
import { retryOnDatabaseUnavailable } from './retry-on-database-unavailable';
import { type DirectMailbox, type SenderMailbox } from './sender-run';

/** Maximum characters of a server's reply in a suppression. */
const MAX_REASON_LENGTH = 200;

/** A concurrent change prevented the claim: nothing was written. */
class MailClaimSupersededError extends Error {
  constructor(readonly part: SupersededPart) {
    super(part);
  }
}

/** An attempt that used the budget, and its outcome. */
export interface MailAttempt {
  readonly verdict: Verdict;
  /** False when the lease was lost before the outcome was written. */
  readonly isWritten: boolean;
  /** The source has asked that the run continues at once. */
  readonly continues: boolean;
  /** The moment from which gaps count: the handover, or the claim without one. */
  readonly lastSentAt: Date;
  /** The mailbox with its budget after the attempt. */
  readonly mailbox: SenderMailbox;
}

/** One attempt to send one mail: claim, composition, handover, outcome and its effects, for the mail of every source. */
@Injectable()
export class MailAttemptService {
  constructor(
    private readonly leases: MailboxLeaseService,
    private readonly reads: MailboxReadBatchService,
    private readonly handovers: MessageHandoverService,
    private readonly connections: MailboxConnectionService,
    private readonly suppressions: SuppressionsService,
    private readonly events: EventsService,
    private readonly transactions: TransactionService,
    private readonly clock: ClockPort,
    private readonly log: LogService,
  ) {}

  /**
   * @returns what has changed since the offer, if the mail can no longer be claimed
   * @throws any error that does not come from the mail server: then the handover did not begin, or the mail is ambiguous
   */
  async send<O, M extends OutboundMail>(
    source: OutboundMailSource<O, M>,
    mailbox: SenderMailbox,
    offered: O,
    signal: AbortSignal,
  ): Promise<MailAttempt | SupersededPart> {
    const at = this.clock.now();
    const claimed = await this.#claim(source, mailbox, offered, at);
    if (typeof claimed === 'string') return claimed;
    const attempted = await this.#attempt(source, mailbox, claimed, { signal });
    const { handover, verdict, isWritten, continues } = attempted;
    const lastSentAt = handover.handoverAt ?? at;
    if (verdict.kind === 'release') return { verdict, isWritten, continues, lastSentAt, mailbox };
    const facts = { ...mailbox.facts, ...takeToken(mailbox.facts, at, source), lastSentAt };
    const after = await this.#endCooldown({ ...mailbox, facts });
    return { verdict, isWritten, continues, lastSentAt, mailbox: after };
  }

  /**
   * Sends one mail at once. A person waits for it, and a run of the mailbox may take minutes: it does not wait for the
   * lease, so it changes nothing that belongs to its holder.
   */
  async sendDirect<M extends OutboundMail>(
    source: OutboundMailSource<M, M>,
    record: MailboxRecord,
    mail: M,
    limits: HandoverLimits,
  ): Promise<SendOutcome> {
    return (await this.#attempt(source, { lease: null, record }, mail, limits)).handover.outcome;
  }

  async #attempt<O, M extends OutboundMail>(
    source: OutboundMailSource<O, M>,
    mailbox: SenderMailbox | DirectMailbox,
    claimed: M,
    limits: HandoverLimits,
  ): Promise<AttemptedMail & { readonly isWritten: boolean; readonly continues: boolean }> {
    const { mail, ...handover } = await this.#handOver(source, mailbox, claimed, limits);
    // Nothing that can fail comes between the server's reply and the write of the outcome.
    const now = this.clock.now();
    const { id: sendId, attempt } = mail;
    const cooldown = mailbox.lease?.cooldown ?? null;
    const verdict = decideSendOutcome(handover.outcome, { attempt, sendId, cooldown, now });
    const attempted = { handover, verdict, now };
    const isWritten = await this.#writeOutcome(source, mailbox, mail, attempted);
    if (mailbox.lease) await this.applyToMailbox(mailbox.record, mail, attempted);
    const continues = (await source.settled?.(mail, { ...attempted, isWritten })) ?? false;
    return { ...attempted, isWritten, continues };
  }

  async #claim<O, M extends OutboundMail>(
    source: OutboundMailSource<O, M>,
    mailbox: SenderMailbox,
    offered: O,
    at: Date,
  ): Promise<M | SupersededPart> {
    const withBudget: MailClaim['withBudget'] = async (write) => {
      try {
        return await this.transactions.run(async () => {
          const claimed = await write();
          if (typeof claimed === 'string') throw new MailClaimSupersededError(claimed);
          const tokens = takeToken(mailbox.facts, at, source);
          const isLeased = await this.leases.writeBudget(mailbox.lease, tokens, { unlessStopped: true });
          if (!isLeased) throw new MailClaimSupersededError('mailbox');
          return claimed;
        });
      } catch (error) {
        if (error instanceof MailClaimSupersededError) return error.part;
        throw error;
      }
    };
    let claimed: M | SupersededPart | null = null;
    try {
      claimed = await source.claim(offered, { mailbox, at, withBudget });
      return claimed;
    } finally {
      await source.claimEnded?.(offered, typeof claimed === 'string' ? null : claimed);
    }
  }

  /** Never retries. */
  async #handOver<O, M extends OutboundMail>(
    source: OutboundMailSource<O, M>,
    mailbox: SenderMailbox | DirectMailbox,
    claimed: M,
    limits: HandoverLimits,
  ): Promise<MessageHandover & { readonly mail: M }> {
    const { record } = mailbox;
    const made: ComposedMail<M> | SendOutcome =
      (await source.prepare?.(record, claimed, limits)) ?? (await source.compose(record, claimed).catch(toNotCreated));
    if ('kind' in made) return { outcome: made, handoverAt: null, draftId: null, isComposed: false, mail: claimed };
    const { message, mail, threadId } = made;
    const mark = async (draftId: string | null) => {
      if (mailbox.lease && !(await this.#recordIfLate(source, mailbox, mail))) return null;
      const [maySend, isAllowed] = await Promise.all([!mailbox.lease || this.#maySend(record), source.allows(mail)]);
      if (!maySend || !isAllowed) return null;
      const at = this.clock.now();
      return (await source.markSending(mail, { draftId, at })) ? at : null;
    };
    return { ...(await this.handovers.handOver(record, message, { mark, threadId, limits })), mail };
  }

  /** Gaps count from a late handover. @returns false when the lease was lost: no handover may follow */
  async #recordIfLate<O, M extends OutboundMail>(
    source: OutboundMailSource<O, M>,
    { lease, facts }: SenderMailbox,
    mail: M,
  ): Promise<boolean> {
    const now = this.clock.now();
    if (!isLate(mail.claimedAt, now)) return true;
    const budget = { ...takeToken(facts, mail.claimedAt, source), lastSentAt: now };
    if (!(await this.leases.writeBudget(lease, budget))) return false;
    await source.recordLate?.(mail, now);
    return true;
  }

  async #maySend({ workspaceId, _id: mailboxId }: MailboxRecord): Promise<boolean> {
    const state = await this.reads.sendingState({ workspaceId, mailboxId });
    return state !== null && maySend(state, this.clock.now());
  }

  /** @returns false when the lease was lost: its new holder resolves the mail */
  async #writeOutcome<O, M extends OutboundMail>(
    source: OutboundMailSource<O, M>,
    mailbox: SenderMailbox | DirectMailbox,
    mail: M,
    attempted: AttemptedMail,
  ): Promise<boolean> {
    try {
      return await retryOnDatabaseUnavailable(async () => {
        if (isSettled(attempted) && attempted.verdict.kind === 'sent') {
          if (await source.settleTogether?.(mailbox.record, mail, attempted)) return true;
        }
        return this.transactions.run(() =>
          isSettled(attempted)
            ? this.#settle(source, mailbox, mail, attempted)
            : this.#release(source, mailbox, mail, attempted as ReleasedMail),
        );
      });
    } catch (error) {
      if (error instanceof MailboxLeaseLostError) return false;
      throw error;
    }
  }

  async #settle<O, M extends OutboundMail>(
    source: OutboundMailSource<O, M>,
    { record, lease }: SenderMailbox | DirectMailbox,
    mail: M,
    attempted: SettledMail,
  ): Promise<boolean> {
    const { verdict } = attempted;
    if (!(await source.settle(record, mail, attempted))) return false;
    if (lease && verdict.kind === 'stop_mailbox') await this.#stop(record, mail, verdict.reason);
    // The address does not exist: it is suppressed for all campaigns.
    if (verdict.kind === 'bounced' && mail.recipient) {
      await this.suppressions.record(toScope(record), ...toBounce(mail.recipient, verdict.reason));
    }
    return true;
  }

  /** Nothing was sent: the budget is restored to its value before the claim. @throws MailboxLeaseLostError */
  async #release<O, M extends OutboundMail>(
    source: OutboundMailSource<O, M>,
    mailbox: SenderMailbox | DirectMailbox,
    mail: M,
    attempted: ReleasedMail,
  ): Promise<boolean> {
    if (!(await source.release(mail, attempted))) return false;
    if (!mailbox.lease) return true;
    const { lease, facts } = mailbox;
    const { cooldown } = attempted.verdict;
    if (cooldown && !(await this.leases.startCooldown(lease, cooldown))) throw new MailboxLeaseLostError();
    const { claimedAt } = mail;
    const tokens = returnToken({ ...facts, ...takeToken(facts, claimedAt, source) }, claimedAt, source);
    if (!(await this.leases.writeBudget(lease, tokens))) throw new MailboxLeaseLostError();
    return true;
  }

  /** The server refused the sender: the mailbox sends no more until a person resumes it. */
  async #stop({ workspaceId, _id }: MailboxRecord, mail: OutboundMail, reason: string): Promise<void> {
    const mailboxId = _id.toHexString();
    await this.leases.stop(workspaceId.toHexString(), mailboxId, { code: 'REFUSED', message: reason });
    await this.events.record(toScope({ workspaceId }), {
      type: 'mailbox.sending_stopped',
      dedupeKey: `mailbox.sending_stopped:${mail.id}:${mail.attempt}`,
      about: { mailboxId, ...(mail.campaignId !== undefined && { campaignId: mail.campaignId }) },
      data: { code: 'REFUSED', reason, of: null, domain: null, evidence: null },
    });
  }

  /** The effects on the mailbox’s connection and on the address. A repetition is harmless, and a crash before them loses no mail. */
  async applyToMailbox(
    record: MailboxRecord,
    { recipient, id }: OutboundMail,
    { handover: { outcome }, verdict }: AttemptedMail,
  ): Promise<void> {
    const { workspaceId, _id: mailboxId, credentialsRevision, status } = record;
    const atWork = { workspaceId, mailboxId, revision: String(credentialsRevision) };
    if (verdict.kind === 'release' && verdict.mailboxFailed && 'stage' in outcome) {
      await this.connections.recordFailure(atWork, outcome, 'outgoing');
    }
    // The accepted email proves that the failed connection works again.
    if (verdict.kind === 'sent' && status !== 'active') await this.connections.recordSuccess(atWork, 'outgoing');
    if (verdict.kind === 'bounced' && recipient) {
      // The outcome has stored the suppression; this withholds other sends to the address.
      await this.suppressions.add(toScope(record), ...toBounce(recipient, verdict.reason));
    }
    if (verdict.kind === 'stop_mailbox') {
      const about = { mailboxId: mailboxId.toHexString(), mailId: id };
      this.log.warn('A mailbox is stopped: its server refused an email because of the sender', about);
    }
  }

  /** The server has accepted or refused a mail of the mailbox, so its cooldown is over. */
  async #endCooldown(mailbox: SenderMailbox): Promise<SenderMailbox> {
    const { record, lease, facts } = mailbox;
    if (lease.cooldown === null) return mailbox;
    await this.leases.startCooldown(lease, null);
    return { record, lease: { ...lease, cooldown: null }, facts: { ...facts, cooldown: null } };
  }
}

/** A mailbox with a failed connection may send when its next check is due: the email is the check. */
function maySend({ sendingEnabled, status, connection: { nextCheckAt } }: MailboxSendingState, now: Date): boolean {
  if (!sendingEnabled || status === 'paused') return false;
  return status === 'active' || (nextCheckAt !== null && nextCheckAt <= now);
}

function isSettled(attempted: AttemptedMail): attempted is SettledMail {
  return attempted.verdict.kind !== 'release';
}

/** The suppression that a bounce creates. */
function toBounce({ email, sendId }: MailRecipient, reason: string): [NewSuppressions, SuppressionOrigin] {
  return [
    { addresses: [email], reason: reason.slice(0, MAX_REASON_LENGTH) },
    { source: 'bounce', sendId },
  ];
}

function toScope({ workspaceId }: Pick<MailboxRecord, 'workspaceId'>) {
  return systemScope(workspaceId.toHexString());
}
