import { composeMessage } from '@adapters/mail';
import { InboxReplyRecord, composeReply, InboxReplyRepository } from '@domain/inbox';
import { MailboxRepository } from '@domain/mailboxes';
import { SuppressionsService } from '@domain/suppressions';
import { Injectable } from '@nestjs/common';
import { ClockPort } from '@platform/clock';
import { type MessageHandover, MessageHandoverService, notMade } from '../message-handover.service';
import { isLate } from '../mailbox-send-pace';
import { type SenderMailbox } from '../mailbox-sender-cache';
import { maySend } from '../send-guard.service';
import { ReplyClaimsService } from './reply-claims.service';

/** Gives a claimed reply to the mailbox's server, unless something forbids it at the last moment. */
@Injectable()
export class ReplyHandoversService {
  constructor(
    private readonly messages: MessageHandoverService,
    private readonly replies: InboxReplyRepository,
    private readonly claims: ReplyClaimsService,
    private readonly mailboxes: MailboxRepository,
    private readonly suppressions: SuppressionsService,
    private readonly clock: ClockPort,
  ) {}

  /** @throws whatever is not the mail server's doing, as `MessageHandoverService.give` */
  async give(mailbox: SenderMailbox, reply: InboxReplyRecord, signal: AbortSignal): Promise<MessageHandover> {
    const made = await composeMessage(composeReply(reply, this.clock.now())).catch(notMade);
    if ('kind' in made) return { outcome: made, wiredAt: null, draftId: null };
    const mark = async (draftId: string | null) => {
      const now = this.clock.now();
      const isInTime = !isLate(reply.claimedAt ?? now, now);
      if (!isInTime && !(await this.claims.isLate(mailbox, reply, now))) return null;
      if (!(await this.#allows(reply))) return null;
      const at = this.clock.now();
      return (await this.replies.markSending(reply, { draftId, at })) ? at : null;
    };
    return this.messages.give(mailbox.record, made, { mark, threadId: reply.threadId, signal });
  }

  /** Whatever forbids it writes that first and then takes it back: either this look sees it, or the claim is gone. */
  async #allows({ workspaceId, mailboxId, email }: InboxReplyRecord): Promise<boolean> {
    const [mailboxes, suppressed] = await Promise.all([
      this.mailboxes.sendingStates(workspaceId, [mailboxId]),
      this.suppressions.isSuppressed(workspaceId.toHexString(), email),
    ]);
    const mailbox = mailboxes.get(mailboxId.toHexString());
    return !suppressed && mailbox !== undefined && maySend(mailbox, this.clock.now());
  }
}
