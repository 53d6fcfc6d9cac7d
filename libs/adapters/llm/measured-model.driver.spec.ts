import { MetricsService } from '@platform/observability';
import { MeasuredModelDriver } from './measured-model.driver';
import { LanguageModelPort, type ModelAnswer } from './port/language-model.port';
import { LlmError } from './port/llm.errors';
import { getCost } from './port/model-cost';

const PRICES = { input: 0.15, output: 0.6 };
const USAGE = { inputTokens: 1_000_000, outputTokens: 500_000 };

/** Returns scripted answers. */
class ScriptedModel extends LanguageModelPort {
  override readonly name = 'scripted';

  constructor(
    private readonly answer: () => Promise<ModelAnswer>,
    override readonly isConfigured = true,
  ) {
    super();
  }

  override complete(): Promise<ModelAnswer> {
    return this.answer();
  }
}

describe('a measured model', () => {
  const question = { system: 'Be short.', user: 'Hello?', maxTokens: 10 };
  const spoilt = new LlmError('malformed', 'No JSON', { answer: { text: '{', usage: USAGE } });

  async function asked(answer: () => Promise<ModelAnswer>, isConfigured = true): Promise<string[]> {
    const metrics = new MetricsService();
    const model = new MeasuredModelDriver(new ScriptedModel(answer, isConfigured), metrics, PRICES);
    await model.complete(question).catch(() => undefined);
    const text = await metrics.text();
    return text
      .split('\n')
      .filter((line) => /^outreach_model_(question_duration_seconds_count|tokens|cost)/.test(line));
  }

  it.each([
    ['an answer', () => Promise.resolve({ text: 'Hi', json: undefined, usage: USAGE }), 'answered', 0.45],
    ['one that is spoilt, and paid for', () => Promise.reject(spoilt), 'malformed', 0.45],
    ['none', () => Promise.reject(new LlmError('timeout', 'Too late')), 'timeout', 0],
    ['one that its caller gave up', () => Promise.reject(new Error('stop')), 'aborted', 0],
  ])('counts %s', async (_name, answer, outcome, cost) => {
    const lines = await asked(answer);
    expect(lines).toContain(`outreach_model_question_duration_seconds_count{outcome="${outcome}"} 1`);
    expect(lines).toContain(`outreach_model_cost_total ${cost}`);
    if (cost > 0) expect(lines).toContain('outreach_model_tokens_total{direction="input"} 1000000');
  });

  it('counts nothing while no model is configured', async () => {
    const lines = await asked(() => Promise.reject(new LlmError('unconfigured', 'none')), false);
    expect(lines).toEqual(['outreach_model_cost_total 0']);
  });

  it('delegates to the measured model', () => {
    const model = new MeasuredModelDriver(
      new ScriptedModel(() => Promise.reject(spoilt)),
      new MetricsService(),
      PRICES,
    );
    expect({ name: model.name, isConfigured: model.isConfigured }).toEqual({ name: 'scripted', isConfigured: true });
  });
});

describe('the cost of an answer', () => {
  it.each([
    [{ inputTokens: 1_000_000, outputTokens: 0 }, 0.15],
    [{ inputTokens: 0, outputTokens: 1_000_000 }, 0.6],
    [{ inputTokens: 1, outputTokens: 1 }, 0.000_000_75],
    [{ inputTokens: 31, outputTokens: 5 }, 0.000_007_65],
    [{ inputTokens: 0, outputTokens: 0 }, 0],
  ])('of %j is %d at 0.15 and 0.6 per million tokens', (usage, cost) => {
    expect(getCost(usage, PRICES)).toBe(cost);
  });

  it('is zero without prices', () => {
    expect(getCost({ inputTokens: 9, outputTokens: 9 }, { input: 0, output: 0 })).toBe(0);
  });
});
