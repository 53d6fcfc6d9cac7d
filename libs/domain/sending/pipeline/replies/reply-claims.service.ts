import { InboxReplyRecord, InboxReplyRepository } from '@domain/inbox';
import { type MailboxRecord } from '@domain/mailboxes';
import { type Cooldown, MailboxLeaseService } from '@domain/sends';
import { SuppressionsService } from '@domain/suppressions';
import { Injectable } from '@nestjs/common';
import { TransactionService } from '@platform/database';
import { type MailboxTokens } from '../../decide/facts';
import { returnToken, takeToken } from '../../decide/tokens';
import { type SenderMailbox } from '../mailbox-sender-cache';
import { MailboxLeaseLostError } from '../mailbox-lease-lost.errors';

/** Something changed since the reply was read: nothing was written, and the turn looks again. */
class ClaimLost extends Error {}

/** Takes replies out of everybody else's reach, together with their share of the mailbox's budget, and gives both back. */
@Injectable()
export class ReplyClaimsService {
  constructor(
    private readonly replies: InboxReplyRepository,
    private readonly turns: MailboxLeaseService,
    private readonly suppressions: SuppressionsService,
    private readonly transactions: TransactionService,
  ) {}

  /** The reply that comes next; those that must not be sent any more are cancelled. null when none is due. */
  async next({ workspaceId, _id }: MailboxRecord, now: Date): Promise<InboxReplyRecord | null> {
    for (;;) {
      const reply = await this.replies.next(workspaceId, _id, now);
      if (!reply || !(await this.suppressions.isSuppressed(workspaceId.toHexString(), reply.email))) return reply;
      await this.replies.cancel(reply, 'The address is on the suppression list');
    }
  }

  /** @returns null when the reply or the turn changed since it was read */
  async claim({ turn, facts }: SenderMailbox, reply: InboxReplyRecord, at: Date): Promise<InboxReplyRecord | null> {
    try {
      return await this.transactions.run(async () => {
        const claimed = await this.replies.claim(reply, turn.fence, at);
        if (!claimed) throw new ClaimLost();
        if (!(await this.turns.writeBudget(turn, takeToken(facts, at), { unlessStopped: true }))) throw new ClaimLost();
        return claimed;
      });
    } catch (error) {
      if (error instanceof ClaimLost) return null;
      throw error;
    }
  }

  /**
   * It comes to its server long after the claim: the mailbox's gap counts from now.
   * @returns false when the turn was lost: nothing may be given
   */
  async isLate({ turn, facts }: SenderMailbox, { claimedAt, dueAt }: InboxReplyRecord, now: Date): Promise<boolean> {
    return this.turns.writeBudget(turn, { ...takeToken(facts, claimedAt ?? dueAt), lastSentAt: now });
  }

  /**
   * It was not given to the server after all: everything is as before the claim. Joins the running transaction.
   * @param wired it was on the wire, and it is known that it stayed a draft
   * @returns false when the reply is not this turn's any more
   * @throws TurnLost
   */
  async release(
    { turn, facts }: SenderMailbox,
    reply: InboxReplyRecord,
    { wired, reason, rest }: { wired: boolean; reason: string; rest: Cooldown | null },
  ): Promise<boolean> {
    const at = reply.claimedAt ?? reply.dueAt;
    if (!(await this.replies.release(reply, wired ? 'wire' : 'claimed', reason))) return false;
    if (rest && !(await this.turns.startCooldown(turn, rest))) throw new MailboxLeaseLostError();
    const tokens = returnToken({ ...facts, ...takeToken(facts, at) }, at);
    if (!(await this.turns.writeBudget(turn, tokens))) throw new MailboxLeaseLostError();
    return true;
  }

  /**
   * Releases what an earlier turn of the mailbox had claimed when its worker died.
   * @returns what the mailbox has used without it; null when somebody else has released it
   * @throws TurnLost
   */
  async releaseLeft({ turn, facts }: SenderMailbox, reply: InboxReplyRecord): Promise<MailboxTokens | null> {
    const tokens = returnToken(facts, reply.claimedAt ?? reply.dueAt);
    return this.transactions.run(async () => {
      if (!(await this.replies.release(reply, 'claimed', 'The turn that had it ended early'))) return null;
      if (!(await this.turns.writeBudget(turn, tokens))) throw new MailboxLeaseLostError();
      return tokens;
    });
  }
}
