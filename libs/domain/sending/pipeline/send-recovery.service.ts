import { InboxReplyRecord, InboxReplyRepository, type OpenReplies } from '@domain/inbox';
import { type SendRecord, SendRepository } from '@domain/sends';
import { Injectable } from '@nestjs/common';
import { ClockPort } from '@platform/clock';
import { LogService } from '@platform/observability';
import { type MailboxTokens } from '../decide/facts';
import { type SenderMailbox } from './mailbox-sender-cache';
import { ReplySendService } from './replies/reply-send.service';
import { SendClaimService } from './send-claim.service';

const DIED = 'The worker crashed during the handover';

/** Recovers the sends and replies that a crashed worker left. */
@Injectable()
export class SendRecoveryService {
  constructor(
    private readonly sends: SendRepository,
    private readonly claims: SendClaimService,
    private readonly replies: InboxReplyRepository,
    private readonly replyClaims: ReplySendService,
    private readonly clock: ClockPort,
    private readonly log: LogService,
  ) {}

  /**
   * Releases claims and returns their tokens. A send that was marked may have been sent and becomes ambiguous.
   * @returns the mailbox with its used budget after that
   */
  async recover(mailbox: SenderMailbox, { inFlight }: Pick<OpenReplies, 'inFlight'>): Promise<SenderMailbox> {
    const { workspaceId, _id } = mailbox.record;
    let found = inFlight ? await this.#recoverReplies(mailbox) : mailbox;
    for (const send of await this.sends.listInFlight(workspaceId, _id)) {
      if (send.state === 'sending') {
        await this.#search(send);
        found = having(found, { lastSentAt: later(found.facts.lastSentAt, send.handoverAt) });
      } else {
        found = having(found, (await this.claims.releaseLeft(found, send)) ?? {});
      }
    }
    return found;
  }

  async #recoverReplies(mailbox: SenderMailbox): Promise<SenderMailbox> {
    const { workspaceId, _id } = mailbox.record;
    let found = mailbox;
    for (const reply of await this.replies.inFlightOf(workspaceId, _id)) {
      if (reply.state === 'sending') {
        await this.#searchReply(reply);
        found = having(found, { lastSentAt: later(found.facts.lastSentAt, reply.handoverAt) });
      } else {
        found = having(found, (await this.replyClaims.releaseLeft(found, reply)) ?? {});
      }
    }
    return found;
  }

  async #searchReply(reply: InboxReplyRecord): Promise<void> {
    const resolveAt = this.clock.now();
    const isLeft = await this.replies.settle(reply, 'sending', { state: 'ambiguous', reason: DIED, resolveAt });
    if (isLeft) this.log.warn('A reply may have been sent; it is resolved', { replyId: reply._id.toHexString() });
  }

  async #search(send: SendRecord): Promise<void> {
    const { draftId } = send;
    const isLeft = await this.sends.settle(send, 'sending', {
      state: 'ambiguous',
      reason: DIED,
      resolveAt: this.clock.now(),
      draftId,
    });
    if (isLeft) this.log.warn('An email may have been sent; it is resolved', { sendId: send._id.toHexString() });
  }
}

/** Returns the mailbox with the given tokens. */
function having(mailbox: SenderMailbox, tokens: Partial<MailboxTokens>): SenderMailbox {
  return { ...mailbox, facts: { ...mailbox.facts, ...tokens } };
}

function later(one: Date | null, other: Date | null): Date | null {
  return one && other && one > other ? one : (other ?? one);
}
