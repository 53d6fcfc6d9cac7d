import { setTimeout as pause } from 'node:timers/promises';
import { getCost, LanguageModelPort, LlmError, type ModelAnswer, type ModelUsage } from '@adapters/llm';
import { ModelBudgetService } from '@domain/inbox';
import { Injectable } from '@nestjs/common';
import { Config } from '@platform/config';
import { AppError } from '@platform/errors';
import { LogService } from '@platform/observability';
import { Types } from 'mongoose';
import { agentsSwitchedOff, answerUnusable, modelBudgetUsedUp, modelNotConfigured } from '../agent.errors';
import { AgentKillSwitchService } from '../kill-switch/agent-kill-switch.service';
import { type UnusedAnswer } from '../schemas/agent-text.record';
import { addUsage, estimateTokens } from './answer-cost';
import { matchesSchema } from './answer-schema';
import { type Checked, type ModelCost, type ModelQuestion, type ModelResult } from './model-question';
import { attachCost } from './wasted-cost';

type ModelOutcome = { readonly answer: ModelAnswer } | { readonly failed: LlmError };
/** Usage and unusable answers of a question so far. */
type SoFar = { usage: ModelUsage; readonly unused: UnusedAnswer[] };

/** Maximum number of attempts: for temporary failures of the server, and for one unusable answer. */
export const MAX_ATTEMPTS = 3;
const MAX_UNUSABLE = 2;
/**
 * Delay before the second attempt, four times as long before the third, or longer at the server's request
 * (milliseconds).
 */
const PAUSE_MS = 500;
/** Milliseconds after which no further attempt begins; the caller asks again later. */
const RETRY_PERIOD_MS = 45_000;
/** Failures without any work of the model: their tokens are released. */
const UNCOSTLY: ReadonlySet<string> = new Set([
  'rate_limited',
  'server',
  'credentials',
  'quota',
  'unconfigured',
  'too_long',
  'rejected',
]);
const NOTHING: ModelUsage = { inputTokens: 0, outputTokens: 0 };
/** Maximum characters of an unusable answer that are stored. */
export const MAX_STORED_CHARACTERS = 20_000;
/** The fault of an answer that the server rejected itself. */
const SPOILT: Partial<Record<LlmError['reason'], string>> = {
  malformed: 'is not a JSON object',
  truncated: 'was cut off at the maximum length',
};
const NO_SCHEMA = 'does not match its schema';

/** Asks the language model, within the budget of the workspace. The only caller of the model in this domain. */
@Injectable()
export class AgentModelService {
  constructor(
    private readonly model: LanguageModelPort,
    private readonly budget: ModelBudgetService,
    private readonly killSwitch: AgentKillSwitchService,
    private readonly config: Config,
    private readonly log: LogService,
  ) {}

  /** Whether the operator has configured a model; without one each question is refused. */
  get isConfigured(): boolean {
    return this.model.isConfigured;
  }

  /**
   * Asks until an answer matches the schema and passes `check`. Temporary failures are retried for `RETRY_PERIOD_MS`,
   * an unusable answer once. Each attempt reserves its tokens from the workspace's budget first.
   * @throws AGENTS_SWITCHED_OFF, LLM_NOT_CONFIGURED, LLM_BUDGET_USED_UP, AGENT_ANSWER_UNUSABLE; LlmError without an
   *   answer; the reason of the question's signal. For all but that, `findWastedCost` returns the cost of earlier
   *   answers.
   */
  async ask<T>(
    workspaceId: string | Types.ObjectId,
    question: ModelQuestion,
    check: (json: unknown) => Checked<T>,
  ): Promise<ModelResult<T>> {
    if (!this.model.isConfigured) throw modelNotConfigured();
    const soFar: SoFar = { usage: NOTHING, unused: [] };
    try {
      const value = await this.#ask(new Types.ObjectId(workspaceId), question, check, soFar);
      return { value, ...this.#spent(question, soFar) };
    } catch (error) {
      // A signal may be shared with other questions, so that no cost is attached to its reason.
      const isOwn = error instanceof AppError && error !== question.signal?.reason;
      if (isOwn) attachCost(error, this.#spent(question, soFar));
      throw error;
    }
  }

  async #ask<T>(
    workspaceId: Types.ObjectId,
    question: ModelQuestion,
    check: (json: unknown) => Checked<T>,
    soFar: SoFar,
  ): Promise<T> {
    const giveUpAt = performance.now() + RETRY_PERIOD_MS;
    let unusable = 0;
    for (let attempt = 1; ; attempt += 1) {
      const outcome = await this.#attempt(workspaceId, question);
      const answer = 'answer' in outcome ? outcome.answer : outcome.failed.answer;
      if (answer) soFar.usage = addUsage(soFar.usage, answer.usage);
      const checked = checkOutcome(outcome, question, check);
      if ('value' in checked) return checked.value;
      if (answer && answer.text !== '') soFar.unused.push({ fault: checked.fault, text: toStoredText(answer.text) });
      if ('failed' in outcome && outcome.failed.reason !== 'malformed') {
        await this.#beforeNext(outcome.failed, attempt, giveUpAt, question);
        continue;
      }
      unusable += 1;
      const { purpose, promptVersion } = question;
      this.log.warn('The language model gave an unusable answer', { purpose, promptVersion, unusable });
      if (unusable >= MAX_UNUSABLE || attempt >= MAX_ATTEMPTS) throw answerUnusable(checked.fault);
    }
  }

  /** Makes one attempt with reserved tokens. @throws any error that is not a failure of the model */
  async #attempt(workspaceId: Types.ObjectId, question: ModelQuestion): Promise<ModelOutcome> {
    const { system, user, schema, maxTokens, signal } = question;
    signal?.throwIfAborted();
    if (await this.killSwitch.isOff(workspaceId)) throw agentsSwitchedOff();
    const most = estimateTokens(system + user + JSON.stringify(schema)) + maxTokens;
    const reserved = await this.budget.reserve(workspaceId, most);
    if (!reserved) throw modelBudgetUsedUp();
    try {
      const answer = await this.model.complete({ system, user, schema, maxTokens, ...(signal && { signal }) });
      await this.budget.spend(workspaceId, answer.usage, reserved);
      return { answer };
    } catch (error) {
      if (!(error instanceof LlmError)) throw error;
      const cost = error.answer?.usage ?? (UNCOSTLY.has(error.reason) ? NOTHING : null);
      if (cost) await this.budget.spend(workspaceId, cost, reserved);
      return { failed: error };
    }
  }

  /** Waits before the next attempt. @throws the failure when there is no next attempt */
  async #beforeNext(failed: LlmError, attempt: number, giveUpAt: number, { signal }: ModelQuestion): Promise<void> {
    const waitMs = Math.max(PAUSE_MS * 4 ** (attempt - 1), failed.retryAfterMs ?? 0);
    const isLate = performance.now() + waitMs >= giveUpAt;
    if (failed.failure !== 'temporary' || attempt >= MAX_ATTEMPTS || isLate) throw failed;
    try {
      await pause(waitMs, undefined, { ...(signal && { signal }) });
    } catch {
      signal?.throwIfAborted();
    }
  }

  #spent({ promptVersion }: ModelQuestion, { usage, unused }: SoFar): ModelCost {
    const prices = { input: this.config.llmInputPrice, output: this.config.llmOutputPrice };
    return { model: this.model.name, promptVersion, usage, cost: getCost(usage, prices), unused };
  }
}

function checkOutcome<T>(
  outcome: ModelOutcome,
  { schema }: ModelQuestion,
  check: (json: unknown) => Checked<T>,
): Checked<T> {
  if ('failed' in outcome) return { fault: SPOILT[outcome.failed.reason] ?? 'is missing' };
  const { json } = outcome.answer;
  return matchesSchema(json, schema.schema) ? check(json) : { fault: NO_SCHEMA };
}

function toStoredText(text: string): string {
  return text.slice(0, MAX_STORED_CHARACTERS).toWellFormed();
}
