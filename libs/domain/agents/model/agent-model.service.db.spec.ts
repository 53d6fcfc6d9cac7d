import { inspect } from 'node:util';
import { AppError } from '@platform/errors';
import { Types } from 'mongoose';
import { completion, FAILURES, ModelServer } from '../../../adapters/llm/testing';
import { answerUnusable } from '../agent.errors';
import { AgentKillSwitchService } from '../kill-switch/agent-kill-switch.service';
import { AgentsFixture } from '../testing';
import { AgentModelService, MAX_ATTEMPTS, MAX_STORED_CHARACTERS } from './agent-model.service';
import { estimateTokens } from './answer-cost';
import { type Checked, type ModelQuestion } from './model-question';
import { findWastedCost } from './wasted-cost';

const QUESTION: ModelQuestion = {
  purpose: 'draft',
  promptVersion: 'draft-1',
  system: 'Write a reply.',
  user: '{"thread":[]}',
  schema: {
    name: 'reply',
    schema: {
      type: 'object',
      properties: { text: { type: 'string', maxLength: 100 } },
      required: ['text'],
      additionalProperties: false,
    },
  },
  maxTokens: 50,
};
/** Usage that the server reports. */
const USED = 36;
const MOST = estimateTokens(QUESTION.system + QUESTION.user + JSON.stringify(QUESTION.schema)) + QUESTION.maxTokens;
const SETTINGS = { LLM_API_KEY: 'sk-canary-key', LLM_MODEL: 'test-model', LLM_TIMEOUT_MS: '1500' };

const says = (text: string) => completion(JSON.stringify({ text }));
const textOf = (json: unknown) => ({ value: (json as { text: string }).text });
const NO_SCHEMA = 'does not match its schema';
const wrong = () => ({ fault: 'is wrong' });

describe('model requests of agents', () => {
  let agents: AgentsFixture;
  let server: ModelServer;

  beforeAll(async () => {
    server = await ModelServer.start();
    agents = await AgentsFixture.open({
      ...SETTINGS,
      LLM_BASE_URL: server.baseUrl,
      LLM_DAILY_BUDGET: '6',
      LLM_DAILY_TOKENS: String(3 * MOST),
      LLM_INPUT_PRICE: '0.15',
      LLM_OUTPUT_PRICE: '0.6',
    });
  });
  afterAll(async () => {
    await agents.close();
    await server.close();
  });
  beforeEach(async () => {
    await agents.fresh(0);
    server.asked.length = 0;
    server.otherwise = says('Hello');
  });

  const ask = (question: Partial<ModelQuestion> = {}, check: (json: unknown) => Checked<string> = textOf) =>
    agents.get(AgentModelService).ask(agents.workspace.workspaceId, { ...QUESTION, ...question }, check);
  const failure = (question: Partial<ModelQuestion> = {}, check?: (json: unknown) => Checked<string>) =>
    ask(question, check).then(
      () => 'answered',
      (error: unknown) => (error instanceof AppError ? error.code : error),
    );
  const day = () => agents.raw('model_days').findOne({ workspaceId: new Types.ObjectId(agents.workspace.workspaceId) });

  it('returns the answer with the model, the version of the prompt and the cost', async () => {
    expect(await ask()).toEqual({
      value: 'Hello',
      model: 'test-model',
      promptVersion: 'draft-1',
      usage: { inputTokens: 31, outputTokens: 5 },
      cost: 0.000_007_65,
      unused: [],
    });
    expect(server.asked).toMatchObject([
      { messages: [{ role: 'system' }, { role: 'user', content: QUESTION.user }], max_tokens: 50 },
    ]);
    expect(server.asked[0]).not.toHaveProperty('stream');
    expect(await day()).toMatchObject({ questions: 1, inputTokens: 31, outputTokens: 5, tokens: USED });
  });

  it.each([
    ['answers 429', FAILURES.rate_limited({ 'retry-after-ms': '20' })],
    ['answers 503', FAILURES.server()],
    ['stays silent until the time is up', 'silence' as const],
    ['breaks off in the middle', 'cut' as const],
    ['answers something that is no JSON', completion('Dear Ada,')],
    ['answers by another schema', completion('{"text":"Hello","to":"eve@evil.example"}')],
    ['answers at a greater length than allowed', says('x'.repeat(101))],
  ])('retries when the server %s', async (_name, first) => {
    server.next(first);
    expect(await ask()).toMatchObject({ value: 'Hello' });
    expect(server.asked).toHaveLength(2);
  });

  it('gives up after the third temporary failure and names it', async () => {
    server.otherwise = FAILURES.server();
    expect(await failure()).toBe('LLM_UNAVAILABLE');
    expect(server.asked).toHaveLength(MAX_ATTEMPTS);
  });

  it('asks once more after an unusable answer, then reports it', async () => {
    expect(await failure({}, wrong)).toBe('AGENT_ANSWER_UNUSABLE');
    expect(server.asked).toHaveLength(2);
    expect(await day()).toMatchObject({ questions: 2, inputTokens: 62, tokens: 2 * USED });
  });

  it('includes the cost of unusable answers', async () => {
    let asked = 0;
    const word = await ask({}, (json) => ((asked += 1) === 1 ? wrong() : textOf(json)));
    expect(word).toMatchObject({
      usage: { inputTokens: 62, outputTokens: 10 },
      unused: [{ fault: 'is wrong', text: '{"text":"Hello"}' }],
    });
  });

  it.each([
    ['is of no use twice', [says('Hello')], 'AGENT_ANSWER_UNUSABLE', [{ fault: 'is wrong', text: '{"text":"Hello"}' }]],
    ['keeps to another schema', [completion('{}')], 'AGENT_ANSWER_UNUSABLE', [{ fault: NO_SCHEMA, text: '{}' }]],
    [
      'is no JSON',
      [completion('Dear Ada')],
      'AGENT_ANSWER_UNUSABLE',
      [{ fault: 'is not a JSON object', text: 'Dear Ada' }],
    ],
    [
      'is cut off',
      [FAILURES.truncated()],
      'LLM_REFUSED',
      [{ fault: 'was cut off at the maximum length', text: '{"word":"y' }],
    ],
    ['fails afterwards', [says('Hello'), FAILURES.credentials()], 'LLM_NOT_USABLE', [{ fault: 'is wrong' }]],
  ])('records text and cost of an answer that %s', async (_name, answers, code, unused) => {
    server.next(...answers);
    server.otherwise = answers[0]!;
    const error: unknown = await ask({}, wrong).catch((failed: unknown) => failed);
    expect(error).toMatchObject({ code });
    const spent = findWastedCost(error);
    const times = spent?.unused.length ?? 0;
    expect(spent?.unused[0]).toMatchObject(unused[0]!);
    expect(times).toBe(code === 'AGENT_ANSWER_UNUSABLE' ? 2 : 1);
    expect(spent?.usage).toEqual({ inputTokens: 31 * times, outputTokens: 5 * times });
    expect(await day()).toMatchObject({ tokens: USED * times });
    // The printed error contains no text of the answer.
    expect(inspect(error, { depth: 10 })).not.toMatch(/Hello|Dear Ada|"y/);
  });

  it('adds nothing to the abort reason, which other callers may share', async () => {
    const patience = new AbortController();
    const reason = new AppError(answerUnusable('is wrong').type, 'enough');
    const stopped = () => {
      patience.abort(reason);
      return wrong();
    };
    await expect(ask({ signal: patience.signal }, stopped)).rejects.toBe(reason);
    expect(findWastedCost(reason)).toBeNull();
  });

  it('keeps a bounded part of an unusable answer, without split characters', async () => {
    server.otherwise = completion(`${'x'.repeat(MAX_STORED_CHARACTERS - 1)}\u{1f600}`);
    const error: unknown = await ask().catch((failed: unknown) => failed);
    expect(findWastedCost(error)?.unused[0]?.text).toBe(`${'x'.repeat(MAX_STORED_CHARACTERS - 1)}\ufffd`);
  });

  it('does not wait longer than the deadline of a request for a server', async () => {
    server.next(FAILURES.rate_limited({ 'retry-after': '600' }));
    expect(await failure()).toBe('LLM_UNAVAILABLE');
    expect(server.asked).toHaveLength(1);
  });

  it.each([
    ['credentials', 'LLM_NOT_USABLE'],
    ['quota', 'LLM_NOT_USABLE'],
    ['refused', 'LLM_REFUSED'],
    ['too_long', 'LLM_REFUSED'],
    ['truncated', 'LLM_REFUSED'],
  ] as const)('does not retry after %s', async (reason, code) => {
    server.next(FAILURES[reason]());
    expect(await failure()).toBe(code);
    expect(server.asked).toHaveLength(1);
  });

  it('refuses requests above the daily limit until the next day', async () => {
    server.otherwise = FAILURES.server();
    for (let round = 0; round < 2; round += 1) expect(await failure()).toBe('LLM_UNAVAILABLE');
    server.otherwise = says('Hello');
    expect(await failure()).toBe('LLM_BUDGET_USED_UP');
    expect(server.asked).toHaveLength(6);
    agents.clock.advance(86_400_000);
    expect(await failure()).toBe('answered');
  });

  it('refuses a request when the remaining daily tokens may not suffice', async () => {
    // Each request reserves its maximum, then settles its cost; the remainder does not cover a third reservation.
    const maxTokens = 3 * MOST - USED - (MOST - QUESTION.maxTokens);
    expect(await failure({ maxTokens })).toBe('answered');
    expect(await failure({ maxTokens })).toBe('answered');
    expect(await failure({ maxTokens })).toBe('LLM_BUDGET_USED_UP');
    expect(server.asked).toHaveLength(2);
    expect(await day()).toMatchObject({ questions: 2, tokens: 2 * USED });
  });

  it('reserves the maximum cost of open requests, so that concurrent ones stay within the limit', async () => {
    const outcomes = await Promise.all(Array.from({ length: 6 }, () => failure({ maxTokens: MOST * 2 })));
    expect(outcomes.filter((outcome) => outcome === 'answered').length).toBeGreaterThanOrEqual(1);
    const stored = await day();
    expect(stored?.['tokens']).toBe(USED * server.asked.length);
    expect(outcomes.filter((outcome) => outcome === 'LLM_BUDGET_USED_UP')).toHaveLength(6 - server.asked.length);
  });

  it('keeps the reservation of an answer whose cost is unknown', async () => {
    server.next('silence');
    await ask();
    expect(await day()).toMatchObject({ questions: 2, inputTokens: 31, tokens: MOST + USED });
  });

  it('sends no request and no retry while the agents are switched off', async () => {
    const agentSwitch = agents.get(AgentKillSwitchService);
    await agentSwitch.set(agents.workspace, { off: true });
    expect(await failure()).toBe('AGENTS_SWITCHED_OFF');
    expect(server.asked).toHaveLength(0);
    await agentSwitch.set(agents.workspace, { off: false });
    let turned: Promise<unknown> = Promise.resolve();
    const said = () => {
      turned = agentSwitch.set(agents.workspace, { off: true });
      return wrong();
    };
    const budget = jest.spyOn(agentSwitch, 'isOff').mockImplementationOnce(() => Promise.resolve(false));
    budget.mockImplementationOnce(() => turned.then(() => true));
    expect(await failure({}, said)).toBe('AGENTS_SWITCHED_OFF');
    expect(server.asked).toHaveLength(1);
    budget.mockRestore();
  });

  it('ends with the abort reason, during an attempt and between two', async () => {
    server.next('silence');
    const patience = new AbortController();
    const asking = failure({ signal: patience.signal });
    const reason = new Error('enough');
    setImmediate(() => patience.abort(reason));
    expect(await asking).toBe(reason);
    expect(await failure({ signal: patience.signal })).toBe(reason);
  });
});

describe('model requests without a configured model', () => {
  let agents: AgentsFixture;

  beforeAll(async () => {
    agents = await AgentsFixture.open({ LLM_MODEL: '' });
    await agents.fresh(0);
  });
  afterAll(() => agents.close());

  it('fail with an error that no model is configured', async () => {
    expect(agents.get(AgentModelService).isConfigured).toBe(false);
    const asking = agents.get(AgentModelService).ask(agents.workspace.workspaceId, QUESTION, textOf);
    await expect(asking).rejects.toMatchObject({ code: 'LLM_NOT_CONFIGURED' });
  });
});
