import { systemScope, type WorkspaceScope } from '@domain/access';
import { InboxRepliesService, type ReplyProgress } from '@domain/inbox';
import { Injectable } from '@nestjs/common';
import { ClockPort } from '@platform/clock';
import { parseId, TransactionService } from '@platform/database';
import { AppError } from '@platform/errors';
import { type Sweep } from '@platform/queues';
import { type SendingSchedule } from '@platform/time';
import { Types } from 'mongoose';
import { AgentRepository } from '../agent.repository';
import { toReplyHtml } from '../drafting/reply-html';
import { type AgentReplyRecord } from '../schemas/agent-reply.record';
import { type AgentRecord } from '../schemas/agent.record';
import { AgentRepliesService } from './agent-replies.service';
import { AgentReplyEligibilityService } from './agent-reply-eligibility.service';
import { AgentReplyPlanningService } from './agent-reply-planning.service';
import { type ReplyReason } from './agent-reply-states';
import { AgentReplyWriterService } from './agent-reply-writer.service';
import { AgentReplyQueue, type GoOnWithReply } from './agent-reply.queue';
import { AgentReplyRepository } from './agent-reply.repository';
import {
  FIRST_CHECK_MS,
  getNextCheckAt,
  getNextQuotaDay,
  getQuotaDay,
  getWorkingTime,
  LABELLING_PAUSE_MS,
  MAILBOX_PAUSE_MS,
} from './decide/reply-schedule';

/** Maximum number of replies of one workspace per sweep, so that other workspaces are not delayed. */
export const MAX_SWEPT_PER_WORKSPACE = 50;

/** Maximum number of steps per job: write, hand over, check. */
const MAX_STEPS = 3;

const EXPIRED = { state: 'expired', cause: 'time', reason: 'Its time has passed' } as const;

/** States of an inbox reply that waits for its mailbox. */
const WAITS: ReadonlySet<string> = new Set(['queued', 'retry']);

const CLOSED = 'The agent does not work at this time';

/** Errors of the inbox that may pass. */
const NOT_NOW = new Set(['CONFLICT', 'LIMIT_EXCEEDED', 'NOT_FOUND']);

interface HandoverResult {
  readonly reply: AgentReplyRecord | null;
  /** The mailbox to enqueue. */
  readonly mailboxId: Types.ObjectId | null;
}

/** Processes the replies of agents: writes and hands over due ones, and tracks those that were handed over. */
@Injectable()
export class AgentReplyJobService implements Sweep {
  readonly name = 'agent-reply';

  constructor(
    private readonly repository: AgentReplyRepository,
    private readonly writer: AgentReplyWriterService,
    private readonly queue: AgentReplyQueue,
    private readonly inbox: InboxRepliesService,
    private readonly planning: AgentReplyPlanningService,
    private readonly eligibility: AgentReplyEligibilityService,
    private readonly replies: AgentRepliesService,
    private readonly agents: AgentRepository,
    private readonly transactions: TransactionService,
    private readonly clock: ClockPort,
  ) {}

  /** Processes a due reply, and schedules its next step. */
  async run({ workspaceId, agentReplyId }: GoOnWithReply, signal: AbortSignal): Promise<void> {
    const _id = parseId(agentReplyId);
    let reply = _id && (await this.repository.find(workspaceId, _id));
    for (let steps = 0; reply && this.#isDue(reply) && steps < MAX_STEPS; steps += 1) {
      signal.throwIfAborted();
      reply = await this.#step(reply, signal);
    }
    if (reply?.dueAt) await this.queue.plan([reply]);
  }

  /** Enqueues each due reply: Redis may have lost its jobs, and planning transactions enqueue nothing. */
  async sweep(): Promise<number> {
    const now = this.clock.now();
    let created = 0;
    for (const workspaceId of await this.repository.listDueWorkspaces(now)) {
      created += await this.queue.planMissing(await this.repository.listDue(workspaceId, now, MAX_SWEPT_PER_WORKSPACE));
    }
    return created;
  }

  /**
   * Tracks a reply that was handed over, and plans the follow-up after it was sent.
   * @returns the reply after the step; null when another worker was faster
   */
  async #track(reply: AgentReplyRecord): Promise<AgentReplyRecord | null> {
    const { workspaceId, replyId } = reply;
    const progress = replyId && (await this.inbox.progress(workspaceId, [replyId])).get(replyId.toHexString());
    if (!progress) {
      return this.repository.complete(reply, {
        state: 'cancelled',
        cause: 'delivery',
        reason: 'Its conversation was erased',
      });
    }
    const { state, reason } = progress;
    if (state === 'sent' || state === 'sent_unconfirmed')
      return this.transactions.run(() => this.#recordSent(reply, progress));
    if (state === 'failed' || state === 'cancelled') {
      return this.repository.complete(reply, { state, cause: 'delivery', reason: reason ?? 'It was not sent' });
    }
    return WAITS.has(state)
      ? this.#checkWaiting(reply)
      : this.repository.change(reply, { dueAt: this.#getNextCheck(reply) });
  }

  /**
   * Hands a written reply over to the inbox, which sends it under the mailbox's limits. Evaluates the reply in the same
   * transaction.
   * @returns the reply after the step; null when another worker was faster
   */
  async #handOver(reply: AgentReplyRecord): Promise<AgentReplyRecord | null> {
    try {
      const { reply: handed, mailboxId } = await this.transactions.run(() => this.#handOverOnce(reply));
      if (mailboxId) await this.inbox.enqueue(reply.workspaceId, mailboxId);
      return handed;
    } catch (error) {
      if (!(error instanceof AppError) || !NOT_NOW.has(error.code)) throw error;
      return this.#later(reply, { cause: 'mailbox', reason: error.message }, this.clock.in(MAILBOX_PAUSE_MS));
    }
  }

  #isDue({ dueAt }: AgentReplyRecord): boolean {
    return dueAt !== null && dueAt <= this.clock.now();
  }

  #step(reply: AgentReplyRecord, signal: AbortSignal): Promise<AgentReplyRecord | null> {
    if (reply.state === 'handed') return this.#track(reply);
    if (reply.expiresAt <= this.clock.now()) {
      // The reason of the delay says more than the expiry.
      return this.repository.complete(reply, { ...EXPIRED, reason: reply.reason ?? EXPIRED.reason });
    }
    return reply.state === 'scheduled' ? this.#handOver(reply) : this.writer.write(reply, signal);
  }

  async #checkWaiting(reply: AgentReplyRecord): Promise<AgentReplyRecord | null> {
    const { _id, workspaceId, replyId } = reply;
    // Only this handover: the reply may have been handed over again meanwhile.
    const handover = { workspaceId, _id, replyId };
    const { eligibility, agent } = await this.eligibility.evaluate(reply);
    const hours = agent?.autonomousMode.workingHours ?? null;
    const now = this.clock.now();
    const works = getWorkingTime(now, hours);
    // The reply counts towards the limit of its own thread.
    if (eligibility.may === 'never' && eligibility.cause !== 'thread_limit') {
      await this.replies.withdraw(handover, { cause: eligibility.cause, reason: eligibility.reason });
    } else if (!works || works > now) {
      await this.replies.recall(handover, { reason: CLOSED, dueAt: works ?? reply.expiresAt });
    } else {
      return this.repository.change(reply, { dueAt: this.#getNextCheck(reply, hours) });
    }
    const found = await this.repository.find(workspaceId, _id);
    // A mailbox sender has claimed it at this moment: it is being submitted, or is released again.
    return found?.state === 'handed' ? this.repository.change(found, { dueAt: this.#getNextCheck(found) }) : found;
  }

  #getNextCheck({ handedAt }: AgentReplyRecord, hours: SendingSchedule | null = null): Date {
    return getNextCheckAt(handedAt, this.clock.now(), hours);
  }

  async #recordSent(
    reply: AgentReplyRecord,
    { state, sentAt, reason }: ReplyProgress,
  ): Promise<AgentReplyRecord | null> {
    const at = sentAt ?? this.clock.now();
    const sent = await this.repository.change(reply, { state: 'sent', cause: null, reason, sentAt: at, dueAt: null });
    // No follow-up to a reply that may not have arrived.
    if (sent && state === 'sent') await this.planning.planFollowup(sent, at);
    return sent;
  }

  async #handOverOnce(reply: AgentReplyRecord): Promise<HandoverResult> {
    // First of all, so that concurrent handovers of the agent count towards its daily limit one after the other.
    await this.agents.claim(reply.workspaceId, reply.agentId);
    const { eligibility, agent } = await this.eligibility.evaluate(reply);
    if (eligibility.may === 'never') {
      const { cause, reason } = eligibility;
      return { reply: await this.repository.complete(reply, { state: 'cancelled', cause, reason }), mailboxId: null };
    }
    const { text } = reply;
    if (!agent || text === null) return { reply: null, mailboxId: null };
    const now = this.clock.now();
    if (eligibility.may === 'later') {
      const { cause, reason } = eligibility;
      return { reply: await this.#later(reply, { cause, reason }, this.clock.in(LABELLING_PAUSE_MS)), mailboxId: null };
    }
    if (agent.autonomousMode.approval === 'required' && reply.decidedAt === null) {
      const waiting = { state: 'awaiting_approval', cause: null, reason: null, dueAt: reply.expiresAt } as const;
      return { reply: await this.repository.change(reply, waiting), mailboxId: null };
    }
    const wait = await this.#findWait(reply, agent, now);
    if (wait) return { reply: await this.#later(reply, wait.why, wait.at), mailboxId: null };
    return this.#submit(reply, agent, text, now);
  }

  async #submit(reply: AgentReplyRecord, agent: AgentRecord, text: string, now: Date): Promise<HandoverResult> {
    const handed = await this.repository.change(reply, {
      state: 'handed',
      cause: null,
      reason: null,
      handedAt: now,
      handedDay: getQuotaDay(now, agent.autonomousMode.workingHours),
      dueAt: this.clock.in(FIRST_CHECK_MS),
    });
    if (!handed) return { reply: null, mailboxId: null };
    const { _id: replyId, mailboxId } = await this.inbox.createAutomatic(toScope(reply), reply.conversationId, {
      text,
      html: toReplyHtml(text),
      subject: '',
      agentReplyId: reply._id,
    });
    return { reply: await this.repository.change(handed, { replyId }), mailboxId };
  }

  /** The wait for the working hours or the daily limit of the agent; null without one. */
  async #findWait(
    { workspaceId, expiresAt }: AgentReplyRecord,
    { _id, autonomousMode: { workingHours, dailyLimit } }: AgentRecord,
    now: Date,
  ): Promise<{ why: ReplyReason; at: Date } | null> {
    const works = getWorkingTime(now, workingHours);
    if (!works || works > now) {
      return { why: { cause: 'hours', reason: 'The agent does not work at this time' }, at: works ?? expiresAt };
    }
    if ((await this.repository.countHandedOver(workspaceId, _id, getQuotaDay(now, workingHours))) < dailyLimit)
      return null;
    const why = {
      cause: 'daily_limit',
      reason: `The agent has reached its limit of ${dailyLimit} replies today`,
    } as const;
    return { why, at: getNextQuotaDay(now, workingHours) ?? expiresAt };
  }

  /** Postpones the reply, at most until its expiry. */
  #later(reply: AgentReplyRecord, why: ReplyReason, at: Date): Promise<AgentReplyRecord | null> {
    return this.repository.change(reply, { ...why, dueAt: at < reply.expiresAt ? at : reply.expiresAt });
  }
}

/** The scope of the person who approved the reply, otherwise of the system. */
function toScope({ workspaceId, decidedBy, decidedAt }: AgentReplyRecord): WorkspaceScope {
  const scope = systemScope(workspaceId.toHexString());
  return decidedBy && decidedAt ? { ...scope, actor: decidedBy } : scope;
}
