import { systemScope, type WorkspaceScope } from '@domain/access';
import { AutomaticRepliesService, type ReplyProgress } from '@domain/inbox';
import { Injectable } from '@nestjs/common';
import { ClockPort } from '@platform/clock';
import { parseId, TransactionService } from '@platform/database';
import { AppError } from '@platform/errors';
import { type Sweep } from '@platform/queues';
import { type SendingSchedule } from '@platform/time';
import { Types } from 'mongoose';
import { AgentRepository } from '../agent.repository';
import { toHtml } from '../drafting/reply-html';
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

/** Replies of one workspace that a sweep gives jobs: one that has thousands does not keep the others waiting. */
export const MAX_SWEPT_PER_WORKSPACE = 50;

/** Steps of one job: written, handed over, looked at. */
const MAX_STEPS = 3;

const EXPIRED = { state: 'expired', cause: 'time', reason: 'Its time has passed' } as const;

/** The inbox has it, and no turn does. */
const WAITS: ReadonlySet<string> = new Set(['queued', 'retry']);

const CLOSED = 'The agent does not work at this time';

/** What the inbox says when it takes no reply at the moment. */
const NOT_NOW = new Set(['CONFLICT', 'LIMIT_EXCEEDED', 'NOT_FOUND']);

interface HandoverResult {
  readonly reply: AgentReplyRecord | null;
  /** Whose turn is to be woken. */
  readonly mailboxId: Types.ObjectId | null;
}

/** Goes on with what agents answer, step by step. */
@Injectable()
export class AgentReplyJobService implements Sweep {
  readonly name = 'agent-reply';

  constructor(
    private readonly repository: AgentReplyRepository,
    private readonly writer: AgentReplyWriterService,
    private readonly queue: AgentReplyQueue,
    private readonly inbox: AutomaticRepliesService,
    private readonly planning: AgentReplyPlanningService,
    private readonly eligibility: AgentReplyEligibilityService,
    private readonly replies: AgentRepliesService,
    private readonly agents: AgentRepository,
    private readonly transactions: TransactionService,
    private readonly clock: ClockPort,
  ) {}

  /** Does what is due now, if it still is. What comes later is planned. */
  async run({ workspaceId, agentReplyId }: GoOnWithReply, signal: AbortSignal): Promise<void> {
    const _id = parseId(agentReplyId);
    let reply = _id && (await this.repository.find(workspaceId, _id));
    for (let steps = 0; reply && this.#isDue(reply) && steps < MAX_STEPS; steps += 1) {
      signal.throwIfAborted();
      reply = await this.#step(reply, signal);
    }
    if (reply?.dueAt) await this.queue.plan([reply]);
  }

  /** Gives whatever is due its job again: Redis may have been emptied, and plans are made in transactions that tell nobody. */
  async sweep(): Promise<number> {
    const now = this.clock.now();
    let created = 0;
    for (const workspaceId of await this.repository.listDueWorkspaces(now)) {
      created += await this.queue.planMissing(await this.repository.listDue(workspaceId, now, MAX_SWEPT_PER_WORKSPACE));
    }
    return created;
  }

  /** @returns the reply as it is then; null when somebody else has looked */
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

  /** @returns the reply as it is then; null when somebody else has it */
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
      // Why it was late says more than that it was.
      return this.repository.complete(reply, { ...EXPIRED, reason: reply.reason ?? EXPIRED.reason });
    }
    return reply.state === 'scheduled' ? this.#handOver(reply) : this.writer.write(reply, signal);
  }

  async #checkWaiting(reply: AgentReplyRecord): Promise<AgentReplyRecord | null> {
    const { _id, workspaceId, replyId } = reply;
    // Only as it was seen: it may have been begun anew meanwhile.
    const seen = { workspaceId, _id, replyId };
    const { eligibility, agent } = await this.eligibility.evaluate(reply);
    const hours = agent?.autonomousMode.workingHours ?? null;
    const now = this.clock.now();
    const works = getWorkingTime(now, hours);
    // It counts itself among those of its thread.
    if (eligibility.may === 'never' && eligibility.cause !== 'thread_limit') {
      await this.replies.withdraw(seen, { cause: eligibility.cause, reason: eligibility.reason });
    } else if (!works || works > now) {
      await this.replies.recall(seen, { reason: CLOSED, dueAt: works ?? reply.expiresAt });
    } else {
      return this.repository.change(reply, { dueAt: this.#getNextCheck(reply, hours) });
    }
    const found = await this.repository.find(workspaceId, _id);
    // A turn took it in this moment: it is with its server, or comes back.
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
    // Nobody is reminded of what may never have arrived.
    if (sent && state === 'sent') await this.planning.planFollowup(sent, at);
    return sent;
  }

  async #handOverOnce(reply: AgentReplyRecord): Promise<HandoverResult> {
    // First of all: whoever counts what the agent handed over today waits here for whoever does so, too.
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
    const { _id: replyId, mailboxId } = await this.inbox.create(toScope(reply), reply.conversationId, {
      text,
      html: toHtml(text),
      subject: '',
      agentReplyId: reply._id,
    });
    return { reply: await this.repository.change(handed, { replyId }), mailboxId };
  }

  /** Not now: the agent does not work at this time, or has done enough today. */
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
    const why = { cause: 'daily_limit', reason: `The agent has handed over ${dailyLimit} today` } as const;
    return { why, at: getNextQuotaDay(now, workingHours) ?? expiresAt };
  }

  /** Not after it has expired: that is then what comes next. */
  #later(reply: AgentReplyRecord, why: ReplyReason, at: Date): Promise<AgentReplyRecord | null> {
    return this.repository.change(reply, { ...why, dueAt: at < reply.expiresAt ? at : reply.expiresAt });
  }
}

/** In the name of the person who approved it, if one has. */
function toScope({ workspaceId, decidedBy, decidedAt }: AgentReplyRecord): WorkspaceScope {
  const scope = systemScope(workspaceId.toHexString());
  return decidedBy && decidedAt ? { ...scope, actor: decidedBy } : scope;
}
