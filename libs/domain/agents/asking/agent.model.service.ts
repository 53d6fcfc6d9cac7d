import { setTimeout as pause } from 'node:timers/promises';
import { LanguageModel, LlmError, type ModelAnswer, type ModelUsage } from '@adapters/llm';
import { ModelBudget } from '@domain/inbox';
import { Injectable } from '@nestjs/common';
import { Config } from '@platform/config';
import { Log } from '@platform/observability';
import { Types } from 'mongoose';
import { agentsSwitchedOff, modelBudgetUsedUp, modelNotConfigured, UnusableAnswer } from '../agent.errors';
import { AgentSwitch } from '../switch/agent.switch.service';
import { costOf, estimatedTokens, sumOf } from './answer.cost';
import { fits } from './answer.schema';
import { type ModelQuestion, type ModelWord, type Spent } from './model.question';

type Asked = { readonly answer: ModelAnswer } | { readonly failed: LlmError };

/** Attempts in all: for a server that fails at the moment, and one more for an answer that is of no use. */
export const MOST_ATTEMPTS = 3;
const MOST_UNUSABLE = 2;
/** Wait before the second attempt, four times as long before the third; longer when the server asks for it. */
const PAUSE_MS = 500;
/** From the first attempt: no other one is begun after it. Who waits longer asks again later. */
const PATIENCE_MS = 45_000;
/** What those failures say was not worked on: its tokens are given back. */
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

/** The only door to the language model in this domain. */
@Injectable()
export class AgentModel {
  constructor(
    private readonly model: LanguageModel,
    private readonly budget: ModelBudget,
    private readonly agentSwitch: AgentSwitch,
    private readonly config: Config,
    private readonly log: Log,
  ) {}

  /** Whether the operator has named a model; without one each question is refused. */
  get isConfigured(): boolean {
    return this.model.isConfigured;
  }

  /**
   * Asks until there is an answer that keeps to the schema and passes `check`. Failures of the moment are tried again for
   * `PATIENCE_MS`, an answer of no use once. Each attempt is paid for from the workspace's budget before it is made.
   * @param check what the answer means; null when it is of no use
   * @throws AGENTS_SWITCHED_OFF, LLM_NOT_CONFIGURED, LLM_BUDGET_USED_UP, AGENT_ANSWER_UNUSABLE; LlmError when there is no answer;
   * the reason of the question's signal
   */
  async ask<T>(
    workspaceId: string | Types.ObjectId,
    question: ModelQuestion,
    check: (json: unknown) => T | null,
  ): Promise<ModelWord<T>> {
    if (!this.model.isConfigured) throw modelNotConfigured();
    const workspace = new Types.ObjectId(workspaceId);
    const giveUpAt = performance.now() + PATIENCE_MS;
    let usage = NOTHING;
    let unusable = 0;
    const unused: string[] = [];
    for (let attempt = 1; ; attempt += 1) {
      const asked = await this.#attempt(workspace, question);
      if ('answer' in asked) {
        usage = sumOf(usage, asked.answer.usage);
        const { json } = asked.answer;
        const value = fits(json, question.schema.schema) ? check(json) : null;
        if (value !== null) return { value, ...this.#spent(question, usage, unused) };
        unused.push(JSON.stringify(json));
      } else if (asked.failed.reason !== 'malformed') {
        await this.#beforeNext(asked.failed, attempt, giveUpAt, question);
        continue;
      }
      unusable += 1;
      const { purpose, promptVersion } = question;
      this.log.warn('The language model answered something of no use', { purpose, promptVersion, unusable });
      if (unusable >= MOST_UNUSABLE || attempt >= MOST_ATTEMPTS) {
        throw new UnusableAnswer(this.#spent(question, usage, unused));
      }
    }
  }

  /** One question, paid for before. @throws what is no failure of the model */
  async #attempt(workspaceId: Types.ObjectId, question: ModelQuestion): Promise<Asked> {
    const { system, user, schema, maxTokens, signal } = question;
    signal?.throwIfAborted();
    if (await this.agentSwitch.isOff(workspaceId)) throw agentsSwitchedOff();
    const most = estimatedTokens(system + user + JSON.stringify(schema)) + maxTokens;
    const reserved = await this.budget.reserve(workspaceId, most);
    if (!reserved) throw modelBudgetUsedUp();
    try {
      const answer = await this.model.complete({ system, user, schema, maxTokens, ...(signal && { signal }) });
      await this.budget.spend(workspaceId, answer.usage, reserved);
      return { answer };
    } catch (error) {
      if (!(error instanceof LlmError)) throw error;
      if (UNCOSTLY.has(error.reason)) await this.budget.spend(workspaceId, NOTHING, reserved);
      return { failed: error };
    }
  }

  /** Waits before the next attempt. @throws the failure when there is to be none */
  async #beforeNext(failed: LlmError, attempt: number, giveUpAt: number, { signal }: ModelQuestion): Promise<void> {
    const waitMs = Math.max(PAUSE_MS * 4 ** (attempt - 1), failed.retryAfterMs ?? 0);
    const isLate = performance.now() + waitMs >= giveUpAt;
    if (failed.failure !== 'temporary' || attempt >= MOST_ATTEMPTS || isLate) throw failed;
    try {
      await pause(waitMs, undefined, { ...(signal && { signal }) });
    } catch {
      signal?.throwIfAborted();
    }
  }

  #spent({ promptVersion }: ModelQuestion, usage: ModelUsage, unused: readonly string[]): Spent {
    const prices = { input: this.config.llmInputPrice, output: this.config.llmOutputPrice };
    return { model: this.model.name, promptVersion, usage, cost: costOf(usage, prices), unused };
  }
}
