import { MailboxRepository } from '@domain/mailboxes';
import { type SendRecord, SendRepository } from '@domain/sends';
import { Injectable } from '@nestjs/common';
import { ClockPort } from '@platform/clock';
import { nextResolveAt, UNCONFIRMED_AFTER_MS } from './resolve-schedule';
import { ReplyResolverService } from './reply-resolver.service';
import { SendResolutionService } from './send-resolution.service';
import { SentMessageSearchService } from './sent-message-search.service';

/** Sends that one run looks for. */
const BATCH = 100;

/**
 * Finds out what became of emails whose server gave no answer. None of them is sent again without proof that it was not sent
 * the first time.
 */
@Injectable()
export class SendResolverService {
  constructor(
    private readonly sends: SendRepository,
    private readonly mailboxes: MailboxRepository,
    private readonly search: SentMessageSearchService,
    private readonly resolutions: SendResolutionService,
    private readonly replies: ReplyResolverService,
    private readonly clock: ClockPort,
  ) {}

  /**
   * Resolves due sends of campaigns and due replies.
   * @param report receives each failure; the resolution is retried
   */
  async resolveDue(signal: AbortSignal, report: (error: unknown, sendId: string) => void): Promise<void> {
    for (const send of await this.sends.listDueForResolution(this.clock.now(), BATCH)) {
      if (signal.aborted) return;
      await this.#resolve(send).catch((error: unknown) => report(error, send._id.toHexString()));
    }
    await this.replies.resolveDue(signal, report);
  }

  async #resolve(send: SendRecord): Promise<void> {
    const now = this.clock.now();
    const handoverAt = send.handoverAt ?? send.claimedAt;
    // The next resolution is scheduled first: a crash repeats it, and no other worker resolves the send meanwhile.
    if (!(await this.sends.rescheduleResolution(send, nextResolveAt(handoverAt, now)))) return;
    const mailbox = await this.mailboxes.find(send.workspaceId, send.mailboxId);
    if (send.provenAt) {
      await this.resolutions.sent(send, mailbox);
      return;
    }
    const isOver = now.getTime() - handoverAt.getTime() >= UNCONFIRMED_AFTER_MS;
    const found = await this.search.find(mailbox, send, isOver);
    if (found.state === 'sent') await this.resolutions.sent(send, mailbox, found);
    else if (found.state === 'not_sent') await this.resolutions.notSent(send, now);
    else if (isOver) await this.resolutions.unconfirmed(send, mailbox);
  }
}
