import { MetricsService, measureTime } from '@platform/observability';
import { LanguageModelPort, type ModelAnswer, type ModelRequest, type ModelUsage } from './port/language-model.port';
import { LlmError } from './port/llm.errors';
import { getCost, type ModelPrices } from './port/model-cost';

/** Measures a language model: duration, outcome, token usage and cost of its requests. */
export class MeasuredModelDriver extends LanguageModelPort {
  constructor(
    private readonly model: LanguageModelPort,
    private readonly metrics: MetricsService,
    private readonly prices: ModelPrices,
  ) {
    super();
  }

  override get isConfigured(): boolean {
    return this.model.isConfigured;
  }

  override get name(): string {
    return this.model.name;
  }

  override async complete(request: ModelRequest): Promise<ModelAnswer> {
    if (!this.isConfigured) return this.model.complete(request); // no request is sent
    const ended = {
      done: ({ usage }: ModelAnswer) => this.#used('answered', usage),
      failed: (error: unknown) =>
        error instanceof LlmError ? this.#used(error.reason, error.answer?.usage) : { outcome: 'aborted' },
    };
    return measureTime(this.metrics.modelQuestions, ended, () => this.model.complete(request));
  }

  /** An unusable answer also costs tokens. */
  #used(outcome: string, usage: ModelUsage = { inputTokens: 0, outputTokens: 0 }): { outcome: string } {
    this.metrics.modelTokens.inc({ direction: 'input' }, usage.inputTokens);
    this.metrics.modelTokens.inc({ direction: 'output' }, usage.outputTokens);
    this.metrics.modelCost.inc(getCost(usage, this.prices));
    return { outcome };
  }
}
