import { MailboxLeaseService } from '@domain/sends';
import { Injectable } from '@nestjs/common';
import { ClockPort } from '@platform/clock';
import { TransactionService } from '@platform/database';
import { LogService } from '@platform/observability';
import { type MailboxTokens } from '../decide/facts';
import { returnToken } from '../decide/tokens';
import { MailboxLeaseLostError } from './mailbox-lease-lost.errors';
import { type AnyMailSource, type LeftMail } from './outbound-mail-source';
import { type SenderMailbox, type SenderRun } from './sender-run';

/** Recovers the mail that a crashed worker left. */
@Injectable()
export class SendRecoveryService {
  constructor(
    private readonly leases: MailboxLeaseService,
    private readonly transactions: TransactionService,
    private readonly clock: ClockPort,
    private readonly log: LogService,
  ) {}

  /**
   * Releases claims and returns their tokens. A mail that was marked may have been sent and becomes ambiguous.
   * @throws MailboxLeaseLostError
   */
  async recover(run: SenderRun, sources: readonly AnyMailSource[]): Promise<void> {
    const left = await Promise.all(sources.map((source) => source.listLeft(run)));
    for (const [index, source] of sources.entries()) {
      for (const mail of left[index] ?? []) run.mailbox = await this.#recover(run.mailbox, source, mail);
    }
  }

  async #recover(mailbox: SenderMailbox, source: AnyMailSource, mail: LeftMail): Promise<SenderMailbox> {
    if (mail.handoverAt === null) return having(mailbox, (await this.#release(mailbox, source, mail)) ?? {});
    const now = this.clock.now();
    const isLeft = await this.transactions.run(() => mail.settle('The worker crashed during the handover', now));
    if (isLeft) this.log.warn('A mail may have been sent; it is resolved', { source: source.name, mailId: mail.id });
    return having(mailbox, { lastSentAt: later(mailbox.facts.lastSentAt, mail.handoverAt) });
  }

  /** @returns the mailbox's budget after the release; null when the mail was changed concurrently */
  async #release(
    { lease, facts }: SenderMailbox,
    source: AnyMailSource,
    { claimedAt, release }: LeftMail,
  ): Promise<Partial<MailboxTokens> | null> {
    const tokens = claimedAt ? returnToken(facts, claimedAt, source) : null;
    return this.transactions.run(async () => {
      if (!(await release('The worker that had claimed the mail crashed'))) return null;
      if (tokens && !(await this.leases.writeBudget(lease, tokens))) throw new MailboxLeaseLostError();
      return tokens;
    });
  }
}

/** Returns the mailbox with the given tokens. */
function having(mailbox: SenderMailbox, tokens: Partial<MailboxTokens>): SenderMailbox {
  return { ...mailbox, facts: { ...mailbox.facts, ...tokens } };
}

function later(one: Date | null, other: Date | null): Date | null {
  return one && other && one > other ? one : (other ?? one);
}
