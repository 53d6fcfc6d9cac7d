import { systemScope, type WorkspaceScope } from '@domain/access';
import { InboxRepliesService } from '@domain/inbox';
import { Injectable } from '@nestjs/common';
import { ClockPort } from '@platform/clock';
import { TransactionService } from '@platform/database';
import { AppError } from '@platform/errors';
import { Types } from 'mongoose';
import { AgentRepository } from '../agent.repository';
import { type AgentRecord } from '../schemas/agent.record';
import { type AgentReplyRecord } from '../schemas/agent-reply.record';
import { htmlOfText } from '../drafting/reply-html';
import { type Why } from './agent-reply-states';
import { AgentReplyRepository } from './agent-reply.repository';
import {
  FIRST_CHECK_MS,
  quotaDay,
  LABELLING_PAUSE_MS,
  MAILBOX_PAUSE_MS,
  nextQuotaDay,
  workingFrom,
} from './decide/reply-schedule';
import { AgentReplyEligibilityService } from './agent-reply-eligibility.service';

/** What the inbox says when it takes no reply at the moment. */
const NOT_NOW = new Set(['CONFLICT', 'LIMIT_EXCEEDED', 'NOT_FOUND']);

interface Handed {
  readonly reply: AgentReplyRecord | null;
  /** Whose turn is to be woken. */
  readonly mailboxId: Types.ObjectId | null;
}

/**
 * Hands written replies over to the inbox: then its engine sends them under the mailbox's limits, like what people write. All that
 * could forbid it is looked at in the same transaction, and whoever forbids something writes what this reads or writes, too.
 */
@Injectable()
export class ReplyHandoverService {
  constructor(
    private readonly agents: AgentRepository,
    private readonly store: AgentReplyRepository,
    private readonly facts: AgentReplyEligibilityService,
    private readonly replies: InboxRepliesService,
    private readonly transactions: TransactionService,
    private readonly clock: ClockPort,
  ) {}

  /** @returns the reply as it is then; null when somebody else has it */
  async handOver(reply: AgentReplyRecord): Promise<AgentReplyRecord | null> {
    try {
      const { reply: handed, mailboxId } = await this.transactions.run(() => this.#hand(reply));
      if (mailboxId) await this.replies.enqueue(reply.workspaceId, mailboxId);
      return handed;
    } catch (error) {
      if (!(error instanceof AppError) || !NOT_NOW.has(error.code)) throw error;
      return this.#later(reply, { cause: 'mailbox', reason: error.message }, this.clock.in(MAILBOX_PAUSE_MS));
    }
  }

  async #hand(reply: AgentReplyRecord): Promise<Handed> {
    // First of all: whoever counts what the agent handed over today waits here for whoever does so, too.
    await this.agents.claim(reply.workspaceId, reply.agentId);
    const { standing, agent } = await this.facts.evaluate(reply);
    if (standing.may === 'never') {
      const { cause, reason } = standing;
      return { reply: await this.store.complete(reply, { state: 'cancelled', cause, reason }), mailboxId: null };
    }
    const { text } = reply;
    if (!agent || text === null) return { reply: null, mailboxId: null };
    const now = this.clock.now();
    if (standing.may === 'later') {
      const { cause, reason } = standing;
      return { reply: await this.#later(reply, { cause, reason }, this.clock.in(LABELLING_PAUSE_MS)), mailboxId: null };
    }
    if (agent.autonomousMode.approval === 'required' && reply.decidedAt === null) {
      const waiting = { state: 'awaiting_approval', cause: null, reason: null, dueAt: reply.expiresAt } as const;
      return { reply: await this.store.change(reply, waiting), mailboxId: null };
    }
    const wait = await this.#waitOf(reply, agent, now);
    if (wait) return { reply: await this.#later(reply, wait.why, wait.at), mailboxId: null };
    return this.#give(reply, agent, text, now);
  }

  async #give(reply: AgentReplyRecord, agent: AgentRecord, text: string, now: Date): Promise<Handed> {
    const handed = await this.store.change(reply, {
      state: 'handed',
      cause: null,
      reason: null,
      handedAt: now,
      handedDay: quotaDay(now, agent.autonomousMode.workingHours),
      dueAt: this.clock.in(FIRST_CHECK_MS),
    });
    if (!handed) return { reply: null, mailboxId: null };
    const { _id: replyId, mailboxId } = await this.replies.createAutomatic(scopeOf(reply), reply.conversationId, {
      text,
      html: htmlOfText(text),
      subject: '',
      agentReplyId: reply._id,
    });
    return { reply: await this.store.change(handed, { replyId }), mailboxId };
  }

  /** Not now: the agent does not work at this time, or has done enough today. */
  async #waitOf(
    { workspaceId, expiresAt }: AgentReplyRecord,
    { _id, autonomousMode: { workingHours, dailyLimit } }: AgentRecord,
    now: Date,
  ): Promise<{ why: Why; at: Date } | null> {
    const works = workingFrom(now, workingHours);
    if (!works || works > now) {
      return { why: { cause: 'hours', reason: 'The agent does not work at this time' }, at: works ?? expiresAt };
    }
    if ((await this.store.handedIn(workspaceId, _id, quotaDay(now, workingHours))) < dailyLimit) return null;
    const why = { cause: 'daily_limit', reason: `The agent has handed over ${dailyLimit} today` } as const;
    return { why, at: nextQuotaDay(now, workingHours) ?? expiresAt };
  }

  /** Not after it has expired: that is then what comes next. */
  #later(reply: AgentReplyRecord, why: Why, at: Date): Promise<AgentReplyRecord | null> {
    return this.store.change(reply, { ...why, dueAt: at < reply.expiresAt ? at : reply.expiresAt });
  }
}

/** In the name of the person who approved it, if one has. */
function scopeOf({ workspaceId, decidedBy, decidedAt }: AgentReplyRecord): WorkspaceScope {
  const scope = systemScope(workspaceId.toHexString());
  return decidedBy && decidedAt ? { ...scope, actor: decidedBy } : scope;
}
