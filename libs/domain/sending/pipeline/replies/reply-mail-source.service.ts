import { composeMessage } from '@adapters/mail';
import { composeReply, InboxReplyRecord, InboxReplyRepository, NO_REPLIES, type OpenReplies } from '@domain/inbox';
import { MailboxFiguresService, type MailboxRecord } from '@domain/mailboxes';
import { SuppressionsService } from '@domain/suppressions';
import { Injectable } from '@nestjs/common';
import { ClockPort } from '@platform/clock';
import { Listens } from '@platform/hooks';
import { type Types } from 'mongoose';
import { mailboxGate } from '../../decide/mailbox-gate';
import { withoutShare } from '../../decide/warmup-share';
import { BATCH_WINDOW_MS, WorkspaceBatcher } from '../batching/workspace-batcher';
import {
  type AmbiguousMail,
  type ComposedMail,
  type LeftMail,
  type MailClaim,
  type MailOffer,
  type MailResolution,
  type OutboundMail,
  OUTBOUND_MAIL_SOURCES,
  type OutboundMailSource,
  type ReleasedMail,
  type SettledMail,
  type SupersededPart,
} from '../outbound-mail-source';
import { type SenderRun } from '../sender-run';

interface ReplyMail extends OutboundMail {
  readonly reply: InboxReplyRecord;
}

interface ReadReplies {
  readonly readAt: Date;
  readonly open: Promise<OpenReplies>;
}

/** Why an ambiguous reply counts as sent. */
const REASONS = {
  proven: 'The reply was answered',
  found: 'The reply was found in the sent mail',
  unconfirmed: 'No proof was found in six hours',
} as const;

/**
 * The replies of a mailbox. A person waits for them, so they go before emails of campaigns. The mailbox's own limits
 * apply without a share for warmup; sending windows of campaigns do not.
 */
@Injectable()
@Listens(OUTBOUND_MAIL_SOURCES)
export class ReplyMailSourceService implements OutboundMailSource<InboxReplyRecord, ReplyMail> {
  readonly name = 'replies';
  readonly isWarmup = false;
  readonly #read = new WeakMap<SenderRun, ReadReplies>();
  readonly #opens = new WorkspaceBatcher<Types.ObjectId, OpenReplies>(async (workspaceId, ids) => {
    const found = await this.replies.openOf(workspaceId, ids);
    return ids.map((id) => found.get(id.toHexString()) ?? NO_REPLIES);
  }, BATCH_WINDOW_MS);

  constructor(
    private readonly replies: InboxReplyRepository,
    private readonly figures: MailboxFiguresService,
    private readonly suppressions: SuppressionsService,
    private readonly clock: ClockPort,
  ) {}

  async listLeft(run: SenderRun): Promise<LeftMail[]> {
    const { inFlight } = await this.#getOpen(run);
    if (!inFlight) return [];
    this.#read.delete(run);
    const { workspaceId, _id } = run.mailbox.record;
    return (await this.replies.inFlightOf(workspaceId, _id)).map((reply) => ({
      id: reply._id.toHexString(),
      claimedAt: reply.claimedAt ?? reply.dueAt,
      handoverAt: reply.state === 'sending' ? (reply.handoverAt ?? reply.dueAt) : null,
      release: (reason) => this.replies.release(reply, 'claimed', reason),
      settle: (reason, resolveAt) => this.replies.settle(reply, 'sending', { state: 'ambiguous', reason, resolveAt }),
    }));
  }

  async next(run: SenderRun, now: Date): Promise<MailOffer<InboxReplyRecord>> {
    const { record, facts } = run.mailbox;
    for (;;) {
      const { dueAt } = await this.#getOpen(run);
      if (dueAt === null || dueAt > now) return toWait(dueAt);
      const gate = mailboxGate(now, withoutShare(facts));
      if (gate.kind === 'wait') return toWait(gate.nextEligibleAt);
      this.#read.delete(run);
      const mail = await this.#findNext(record, now);
      if (mail) return { kind: 'mail', mail };
    }
  }

  claim(reply: InboxReplyRecord, { mailbox, at, withBudget }: MailClaim): Promise<ReplyMail | SupersededPart> {
    return withBudget(async () => {
      const claimed = await this.replies.claim(reply, mailbox.lease.fence, at);
      return claimed ? toReplyMail(claimed, at) : 'mail';
    });
  }

  async compose(_mailbox: MailboxRecord, mail: ReplyMail): Promise<ComposedMail<ReplyMail>> {
    const { reply } = mail;
    return { message: await composeMessage(composeReply(reply, this.clock.now())), threadId: reply.threadId, mail };
  }

  async allows({ reply: { workspaceId, email } }: ReplyMail): Promise<boolean> {
    return !(await this.suppressions.isSuppressed(workspaceId.toHexString(), email));
  }

  async markSending({ reply }: ReplyMail, handover: { draftId: string | null; at: Date }): Promise<boolean> {
    return this.replies.markSending(reply, handover);
  }

  async settle(
    _mailbox: MailboxRecord,
    { reply }: ReplyMail,
    { handover: { outcome, handoverAt, draftId }, verdict, now }: SettledMail,
  ): Promise<boolean> {
    const from = handoverAt ? 'sending' : 'claimed';
    const lastReply = 'lastReply' in outcome && outcome.lastReply ? { lastReply: outcome.lastReply } : {};
    switch (verdict.kind) {
      case 'sent': {
        const { providerMessageId, providerThreadId } = verdict;
        const sent = { state: 'sent', at: now, providerMessageId, providerThreadId, ...lastReply } as const;
        if (!(await this.replies.markSent(reply, ['sending', 'ambiguous'], sent))) return false;
        return this.#count(reply, { sent: 1 }, now);
      }
      case 'retry':
      case 'stop_mailbox': {
        const { reason } = verdict;
        const dueAt = verdict.kind === 'retry' ? verdict.at : now;
        return this.replies.settle(reply, from, { state: 'retry', reason, dueAt, ...lastReply });
      }
      case 'ambiguous': {
        const { reason, resolveAt } = verdict;
        return this.replies.settle(reply, from, { state: 'ambiguous', reason, resolveAt, draftId, ...lastReply });
      }
      case 'bounced':
      case 'failed': {
        const { kind, reason } = verdict;
        if (!(await this.replies.settle(reply, from, { state: 'failed', reason, ...lastReply }))) return false;
        return this.#count(reply, kind === 'bounced' ? { bounced: 1 } : { failed: 1 }, now);
      }
    }
  }

  async release({ reply }: ReplyMail, { handover, verdict }: ReleasedMail): Promise<boolean> {
    return this.replies.release(reply, handover.handoverAt ? 'sending' : 'claimed', verdict.reason);
  }

  async listAmbiguous(now: Date, limit: number): Promise<AmbiguousMail[]> {
    return (await this.replies.dueForResolution(now, limit)).map((reply) => ({
      id: reply._id.toHexString(),
      workspaceId: reply.workspaceId,
      mailboxId: reply.mailboxId,
      messageId: reply.messageId,
      draftId: reply.draftId,
      handoverAt: reply.handoverAt ?? reply.dueAt,
      reschedule: (at) => this.replies.rescheduleResolution(reply, at),
      isProven: () => this.replies.isAnswered(reply),
      resolve: (resolution) => this.#resolve(reply, resolution),
    }));
  }

  async #resolve(reply: InboxReplyRecord, resolution: MailResolution): Promise<boolean> {
    if (resolution.kind === 'not_sent') {
      const reason = 'The reply was not sent: its draft still exists';
      return this.replies.settle(reply, 'ambiguous', { state: 'retry', reason, dueAt: resolution.now });
    }
    const { kind, ...ids } = resolution;
    const at = reply.handoverAt ?? reply.dueAt;
    const state = kind === 'unconfirmed' ? 'sent_unconfirmed' : 'sent';
    const isResolved = await this.replies.markSent(reply, ['ambiguous'], { ...ids, state, at, reason: REASONS[kind] });
    return isResolved && this.#count(reply, { sent: 1 }, at);
  }

  /** Reads of several mailboxes are batched. */
  async #getOpen(run: SenderRun): Promise<OpenReplies> {
    const known = this.#read.get(run);
    if (known?.readAt === run.readAt) return known.open;
    const { workspaceId, _id } = run.mailbox.record;
    const open = this.#opens.run(workspaceId, _id);
    this.#read.set(run, { readAt: run.readAt, open });
    return open;
  }

  /** Returns the next due reply or null; cancels replies to suppressed addresses. */
  async #findNext({ workspaceId, _id }: MailboxRecord, now: Date): Promise<InboxReplyRecord | null> {
    for (;;) {
      const reply = await this.replies.next(workspaceId, _id, now);
      if (!reply || !(await this.suppressions.isSuppressed(workspaceId.toHexString(), reply.email))) return reply;
      await this.replies.cancel(reply, 'The address is on the suppression list');
    }
  }

  async #count(
    { workspaceId, mailboxId }: InboxReplyRecord,
    figures: Parameters<MailboxFiguresService['count']>[2],
    at: Date,
  ): Promise<true> {
    const workspace = { workspaceId: workspaceId.toHexString() };
    await this.figures.countIfExists(workspace, mailboxId.toHexString(), figures, at);
    return true;
  }
}

function toReplyMail(reply: InboxReplyRecord, claimedAt: Date): ReplyMail {
  const { _id, attempt, email } = reply;
  return { id: _id.toHexString(), attempt, claimedAt, recipient: { email, sendId: null }, reply };
}

function toWait(nextAt: Date | null): MailOffer<never> {
  return { kind: 'wait', nextAt, isPoll: true };
}
