import { type ConversationRecord } from '@domain/inbox';
import { Injectable } from '@nestjs/common';
import { ClockPort } from '@platform/clock';
import { TransactionService } from '@platform/database';
import { AppError } from '@platform/errors';
import { AgentDraftService, toAgentTextRecord, type WrittenReply } from '../drafting/agent-draft.service';
import { getRefusalReason } from '../drafting/reply-prompt';
import { type ModelCost } from '../model/model-question';
import { findWastedCost } from '../model/wasted-cost';
import { type AgentReplyRecord } from '../schemas/agent-reply.record';
import { type AgentRecord } from '../schemas/agent.record';
import { AgentTextsService, toUnusedText } from '../texts/agent-texts.service';
import { AgentReplyEligibilityService } from './agent-reply-eligibility.service';
import { type ReplyReason } from './agent-reply-states';
import { AgentReplyRepository } from './agent-reply.repository';
import { decideAfterDraftingFailure, MAX_WRITINGS } from './decide/drafting-failure';
import { EXPIRES_AFTER_MS, getWorkingTime, LABELLING_PAUSE_MS, MAILBOX_PAUSE_MS } from './decide/reply-schedule';

/** Longer than any job (milliseconds): after it, the worker that claimed the reply has crashed. */
export const WRITING_LEASE_MS = 15 * 60_000;

type Purpose = 'reply' | 'followup';

/** Writes the texts of due replies. */
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
   * Claims the reply, evaluates it again, and asks the model. Of two concurrent calls one does nothing; after a crash,
   * another worker asks again when the lease has expired.
   * @returns the reply after the step; null when another worker has claimed it
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
    const purpose = reply.position === 0 ? 'reply' : 'followup';
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
      // The person was erased meanwhile: nothing is kept.
      if (!now) return null;
      const textId = await this.texts.record(toAgentTextRecord(written, reply, purpose));
      const { text, refusal, model, promptVersion } = written;
      const known = { textId, model, promptVersion, cost: reply.cost + written.cost };
      if (text !== null) return this.repository.change(reply, { ...known, text, ...this.#next(agent) });
      const why = { cause: 'left', reason: getRefusalReason(refusal ?? 'unclear') } as const;
      return this.repository.change(reply, { ...known, state: 'cancelled', ...why, dueAt: null });
    });
  }

  /** The state after writing: approval by a person, or sending in the working hours. */
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
    const next = decideAfterDraftingFailure(error, this.clock.now(), reply.attempts);
    if (!next) throw error;
    const why = { cause: next.cause, reason: next.reason };
    if (next.kind === 'over') return this.repository.complete(reply, { state: next.state, ...why });
    return this.#later(reply, why, next.at, next.counts ? reply.attempts : reply.attempts - 1);
  }

  /** Records unusable texts with their cost. */
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

  /** Postpones the reply, at most until its expiry. */
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

const NEVER_FINISHED: ReplyReason = {
  cause: 'model',
  reason: `Writing was started ${MAX_WRITINGS} times and never finished`,
};

function toReason({ cause, reason }: ReplyReason): ReplyReason {
  return { cause, reason };
}
