import { LanguageModelPort, LlmError } from '@adapters/llm';
import { Injectable } from '@nestjs/common';
import { ClockPort } from '@platform/clock';
import { LogService } from '@platform/observability';
import { type Sweep } from '@platform/queues';
import { labelOfModel, labelQuestion, type ModelLabel } from './label-question';
import { type AskLabel, LabelRequestRepository, type WaitingLabel } from './label-request.repository';
import { ModelBudgetService } from './model-budget.service';
import { ModelLabellingService } from './model-labelling.service';
import { ReplyLabelQueue } from './reply-label.queue';

/** Attempts in all; then the label of the rules stays. */
export const MOST_ATTEMPTS = 3;
/** Wait before the second attempt, four times as long before the third. */
const PAUSE_MS = 30_000;
/** Wait when somebody has to look after the model first: its key, its account. */
const REPAIR_PAUSE_MS = 15 * 60_000;

/**
 * Asks the language model what answers mean of which the rules are not certain. Its word chooses one of the six labels and
 * does nothing else: an opt-out that only a model sees is shown to people and suppresses nobody.
 */
@Injectable()
export class ReplyLabelService implements Sweep {
  readonly name = 'reply-label';

  constructor(
    private readonly model: LanguageModelPort,
    private readonly waiting: LabelRequestRepository,
    private readonly budget: ModelBudgetService,
    private readonly labelling: ModelLabellingService,
    private readonly queue: ReplyLabelQueue,
    private readonly clock: ClockPort,
    private readonly log: LogService,
  ) {}

  /** Asks about one answer, if it still waits for that. Whatever fails, the label of the rules stands meanwhile. */
  async label(ask: AskLabel, signal?: AbortSignal): Promise<void> {
    const waiting = await this.waiting.find(ask);
    if (!waiting) return;
    const { conversation, message } = waiting;
    const isAskable = this.model.isConfigured && message !== undefined && message.text.trim() !== '';
    if (!isAskable || !(await this.budget.reserveQuestion(conversation.workspaceId)))
      return this.waiting.giveUp(waiting);
    const said = await this.#ask(waiting, message.text, signal);
    if (said) await this.labelling.write(waiting, message.at, said, this.model.name);
  }

  /** Gives every answer that waits its job again: Redis may have been emptied. */
  async sweep(): Promise<number> {
    let created = 0;
    for (const ask of await this.waiting.due()) {
      if (await this.queue.addMissing(ask)) created += 1;
    }
    return created;
  }

  async #ask(waiting: WaitingLabel, text: string, signal?: AbortSignal): Promise<ModelLabel | null> {
    try {
      const { json, usage } = await this.model.complete({ ...labelQuestion(text), ...(signal && { signal }) });
      await this.budget.spend(waiting.conversation.workspaceId, usage);
      const said = labelOfModel(json);
      if (!said) await this.waiting.giveUp(waiting);
      return said;
    } catch (error) {
      if (!(error instanceof LlmError)) throw error;
      await this.#failed(waiting, error);
      return null;
    }
  }

  async #failed(waiting: WaitingLabel, error: LlmError): Promise<void> {
    const { conversation, ask } = waiting;
    const fields = { conversationId: conversation._id.toHexString(), reason: error.reason, what: error.message };
    if (error.failure === 'permanent' || ask.attempts + 1 >= MOST_ATTEMPTS) {
      this.log.warn('The language model gave no label; that of the rules stays', fields);
      return this.waiting.giveUp(waiting);
    }
    if (error.failure === 'needs-human') this.log.error('The language model cannot be used', error, fields);
    const pauseMs = error.failure === 'needs-human' ? REPAIR_PAUSE_MS : PAUSE_MS * 4 ** ask.attempts;
    await this.waiting.postpone(waiting, this.clock.in(Math.max(pauseMs, error.retryAfterMs ?? 0)));
  }
}
