import { LanguageModelPort, LlmError } from '@adapters/llm';
import { Injectable } from '@nestjs/common';
import { ClockPort } from '@platform/clock';
import { TransactionService } from '@platform/database';
import { HookRegistry } from '@platform/hooks';
import { LogService } from '@platform/observability';
import { type Sweep } from '@platform/queues';
import { CONVERSATION_HOOKS } from '../conversations/conversation-hooks';
import { ConversationLeadService } from '../conversations/conversation-lead.service';
import { LabelEffectService } from '../effects/label-effect.service';
import { createLabelQuestion, type ModelLabel, parseModelLabel } from './label-question';
import { type AskLabel, LabelRequestRepository, type WaitingLabel } from './label-request.repository';
import { ModelBudgetService } from './model-budget.service';
import { ReplyLabelQueue } from './reply-label.queue';

/** Attempts in all; after the last one the label of the rules stays. */
export const MAX_ATTEMPTS = 3;
/** Wait before the second attempt; four times as long before the third. */
const RETRY_MS = 30_000;
/** Wait when an operator has to act first: the model's key or account. */
const NEEDS_HUMAN_RETRY_MS = 15 * 60_000;

/**
 * Asks the language model for the labels of replies that the rules are not certain of. The model only chooses one of the six
 * labels: an opt-out that only the model sees is shown to people and suppresses no address.
 */
@Injectable()
export class ReplyLabelService implements Sweep {
  readonly name = 'reply-label';

  constructor(
    private readonly model: LanguageModelPort,
    private readonly requests: LabelRequestRepository,
    private readonly budget: ModelBudgetService,
    private readonly leads: ConversationLeadService,
    private readonly effects: LabelEffectService,
    private readonly hooks: HookRegistry,
    private readonly transactions: TransactionService,
    private readonly queue: ReplyLabelQueue,
    private readonly clock: ClockPort,
    private readonly log: LogService,
  ) {}

  /** Labels one reply that still waits for it. Until then, and after a final failure, the label of the rules applies. */
  async label(ask: AskLabel, signal?: AbortSignal): Promise<void> {
    const waiting = await this.requests.find(ask);
    if (!waiting) return;
    const { conversation, message } = waiting;
    const isAskable = this.model.isConfigured && message !== undefined && message.text.trim() !== '';
    if (!isAskable || !(await this.budget.reserveQuestion(conversation.workspaceId)))
      return this.requests.giveUp(waiting);
    const answer = await this.#ask(waiting, message.text, signal);
    if (answer) await this.#write(waiting, message.at, answer);
  }

  /** Enqueues each waiting reply whose job is missing: Redis may have lost it. */
  async sweep(): Promise<number> {
    let created = 0;
    for (const ask of await this.requests.due()) {
      if (await this.queue.addMissing(ask)) created += 1;
    }
    return created;
  }

  async #ask(waiting: WaitingLabel, text: string, signal?: AbortSignal): Promise<ModelLabel | null> {
    try {
      const { json, usage } = await this.model.complete({ ...createLabelQuestion(text), ...(signal && { signal }) });
      await this.budget.spend(waiting.conversation.workspaceId, usage);
      const answer = parseModelLabel(json);
      if (!answer) await this.requests.giveUp(waiting);
      return answer;
    } catch (error) {
      if (!(error instanceof LlmError)) throw error;
      await this.#recordFailure(waiting, error);
      return null;
    }
  }

  /**
   * Writes the label and its effects in one transaction, once. Writes nothing when a person has labelled the conversation or
   * a newer reply has arrived.
   * @param at when the reply arrived
   */
  async #write(waiting: WaitingLabel, at: Date, { label, reason }: ModelLabel): Promise<void> {
    const why = `${reason} (${this.model.name})`;
    await this.transactions.run(async () => {
      if (!(await this.requests.settle(waiting, label, why))) return;
      await this.hooks.call(CONVERSATION_HOOKS, 'conversationChanged', waiting.conversation, { kind: 'labelled' });
      const { workspaceId, leadId } = waiting.conversation;
      const match = leadId && label === 'positive' ? await this.leads.findMatch(workspaceId, leadId) : null;
      if (match) await this.effects.recordPositive(match, waiting.conversation, at, { label, by: 'llm', reason: why });
    });
  }

  async #recordFailure(waiting: WaitingLabel, error: LlmError): Promise<void> {
    const { conversation, ask } = waiting;
    const fields = { conversationId: conversation._id.toHexString(), reason: error.reason, what: error.message };
    if (error.failure === 'permanent' || ask.attempts + 1 >= MAX_ATTEMPTS) {
      this.log.warn('The language model gave no label; the label of the rules stays', fields);
      return this.requests.giveUp(waiting);
    }
    if (error.failure === 'needs-human') this.log.error('The language model cannot be used', error, fields);
    const waitMs = error.failure === 'needs-human' ? NEEDS_HUMAN_RETRY_MS : RETRY_MS * 4 ** ask.attempts;
    await this.requests.postpone(waiting, this.clock.in(Math.max(waitMs, error.retryAfterMs ?? 0)));
  }
}
