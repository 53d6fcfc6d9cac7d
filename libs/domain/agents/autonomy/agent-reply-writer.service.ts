import { type ConversationRecord } from '@domain/inbox';
import { Injectable } from '@nestjs/common';
import { ClockPort } from '@platform/clock';
import { TransactionService } from '@platform/database';
import { AppError } from '@platform/errors';
import { AgentDraftService, toText, type WrittenReply } from '../drafting/agent-draft.service';
import { getRefusalReason } from '../drafting/reply-prompt';
import { type ModelCost } from '../model/model-question';
import { findWastedCost } from '../model/wasted-cost';
import { type AgentReplyRecord } from '../schemas/agent-reply.record';
import { type AgentRecord } from '../schemas/agent.record';
import { AgentTextsService, toUnusedText } from '../texts/agent-texts.service';
import { AgentReplyEligibilityService } from './agent-reply-eligibility.service';
import { type ReplyReason } from './agent-reply-states';
import { AgentReplyRepository } from './agent-reply.repository';
import { decideAfterFailure, MAX_WRITINGS } from './decide/drafting-failure';
import { EXPIRES_AFTER_MS, getWorkingTime, LABELLING_PAUSE_MS, MAILBOX_PAUSE_MS } from './decide/reply-schedule';

/** Longer than the model is asked at most, and than the job may take: after it, whoever had it is dead. */
export const WRITING_LEASE_MS = 15 * 60_000;

type Purpose = 'reply' | 'followup';

/** Has replies written whose time has come. */
@Injectable()
export class AgentReplyWriterService {
  constructor(
    private readonly repository: AgentReplyRepository,
    private readonly eligibility: AgentReplyEligibilityService,
    private readonly drafts: AgentDraftService,
    private readonly texts: AgentTextsService,
    private readonly transactions: TransactionService,
    private readonly clock: ClockPort,
  ) {}

  /**
   * Takes the reply, looks again, and asks the model. Of two at once one does nothing; who dies over it is followed by another
   * when the lease is over, and the text is asked for once more.
   * @returns the reply as it is then; null when somebody else has it
   */
  async write(reply: AgentReplyRecord, signal: AbortSignal): Promise<AgentReplyRecord | null> {
    if (reply.attempts >= MAX_WRITINGS) return this.repository.complete(reply, { state: 'failed', ...NEVER_FINISHED });
    const check = await this.eligibility.evaluate(reply);
    const { eligibility, agent, conversation } = check;
    if (eligibility.may === 'never')
      return this.repository.complete(reply, { state: 'cancelled', ...toReason(eligibility) });
    if (eligibility.may === 'later')
      return this.#later(reply, toReason(eligibility), this.clock.in(LABELLING_PAUSE_MS));
    if (!agent || !conversation) return null;
    const claimed = await this.repository.change(reply, {
      state: 'writing',
      cause: null,
      reason: null,
      attempts: reply.attempts + 1,
      dueAt: this.clock.in(WRITING_LEASE_MS),
    });
    return claimed && this.#write(claimed, agent, conversation, signal);
  }

  async #write(
    reply: AgentReplyRecord,
    agent: AgentRecord,
    conversation: ConversationRecord,
    signal: AbortSignal,
  ): Promise<AgentReplyRecord | null> {
    const purpose = reply.turn === 0 ? 'reply' : 'followup';
    let written: WrittenReply;
    try {
      written = await this.drafts.write(agent, conversation, { purpose, instructions: null, signal });
    } catch (error) {
      const spent = findWastedCost(error);
      if (spent) await this.#wasted(reply, spent, purpose);
      return this.#failed(reply, error);
    }
    return this.transactions.run(async () => {
      const now = await this.repository.find(reply.workspaceId, reply._id);
      // Erased with its person meanwhile: nothing is kept of it.
      if (!now) return null;
      const textId = await this.texts.record(toText(written, reply, purpose));
      const { text, refusal, model, promptVersion } = written;
      const known = { textId, model, promptVersion, cost: reply.cost + written.cost };
      if (text !== null) return this.repository.change(reply, { ...known, text, ...this.#next(agent) });
      const why = { cause: 'left', reason: getRefusalReason(refusal ?? 'unclear') } as const;
      return this.repository.change(reply, { ...known, state: 'cancelled', ...why, dueAt: null });
    });
  }

  /** A person looks at it, or it goes out when the agent works. */
  #next({ autonomousMode: { approval, workingHours } }: AgentRecord): Partial<AgentReplyRecord> {
    const now = this.clock.now();
    const expiresAt = this.clock.in(EXPIRES_AFTER_MS);
    if (approval === 'required') return { state: 'awaiting_approval', dueAt: expiresAt, expiresAt };
    return { state: 'scheduled', dueAt: getWorkingTime(now, workingHours) ?? now, expiresAt };
  }

  async #failed(reply: AgentReplyRecord, error: unknown): Promise<AgentReplyRecord | null> {
    if (error instanceof AppError && error.code === 'CONFLICT') {
      const why = { cause: 'mailbox', reason: error.message } as const;
      return this.#later(reply, why, this.clock.in(MAILBOX_PAUSE_MS), reply.attempts - 1);
    }
    const next = decideAfterFailure(error, this.clock.now(), reply.attempts);
    if (!next) throw error;
    const why = { cause: next.cause, reason: next.reason };
    if (next.kind === 'over') return this.repository.complete(reply, { state: next.state, ...why });
    return this.#later(reply, why, next.at, next.counts ? reply.attempts : reply.attempts - 1);
  }

  /** What was written and may not be used is kept, with what it cost. */
  async #wasted(reply: AgentReplyRecord, spent: ModelCost, purpose: Purpose): Promise<void> {
    await this.transactions.run(async () => {
      const { _id, workspaceId, agentId, conversationId } = reply;
      if (!(await this.repository.find(workspaceId, _id))) return;
      const of = { workspaceId, agentId, conversationId, purpose };
      const textId = await this.texts.record(toUnusedText(spent, of));
      const { model, promptVersion } = spent;
      await this.repository.change(reply, { textId, model, promptVersion, cost: reply.cost + spent.cost });
    });
  }

  /** Not after it has expired: that is then what comes next. */
  #later(
    reply: AgentReplyRecord,
    why: ReplyReason,
    at: Date,
    attempts = reply.attempts,
  ): Promise<AgentReplyRecord | null> {
    const dueAt = at < reply.expiresAt ? at : reply.expiresAt;
    return this.repository.change(reply, { state: 'planned', ...why, dueAt, attempts });
  }
}

const NEVER_FINISHED: ReplyReason = { cause: 'model', reason: `It was begun ${MAX_WRITINGS} times and never finished` };

function toReason({ cause, reason }: ReplyReason): ReplyReason {
  return { cause, reason };
}
