import { inspect } from 'node:util';
import { redact } from '@platform/observability';
import { OutboundHttpClient } from '@platform/outbound';
import { LlmError } from '../port/llm.errors';
import { completion, failure, FAILURES, ModelServer } from '../testing/model-server';
import { OpenAiDriver, type OpenAiOptions } from './openai.driver';

const KEY = 'sk-canary-key';
const NOW = new Date('2026-11-25T12:00:00.000Z');
const QUESTION = {
  system: 'Judge.',
  user: 'canary-of-a-stranger',
  maxTokens: 20,
  schema: { name: 'verdict', schema: { type: 'object' } },
};

describe('a model behind the HTTP API of OpenAI', () => {
  let server: ModelServer;
  let http: OutboundHttpClient;
  beforeEach(async () => {
    server = await ModelServer.start(KEY);
    http = new OutboundHttpClient({ allowPrivate: true });
  });
  afterEach(async () => {
    await http.onModuleDestroy();
    await server.close();
  });

  const modelOf = (options: Partial<OpenAiOptions> = {}) =>
    new OpenAiDriver(
      http,
      { baseUrl: server.baseUrl, apiKey: KEY, model: 'test-model', timeoutMs: 5_000, ...options },
      () => NOW,
    );
  const errorOf = (model: OpenAiDriver, request: Parameters<OpenAiDriver['complete']>[0] = QUESTION) =>
    model.complete(request).then(
      () => {
        throw new Error('answered');
      },
      (error: unknown) => error as LlmError,
    );

  it('sends the key, the model, the schema and temperature zero', async () => {
    server.next(completion('{"a":1}'));
    await modelOf({ baseUrl: `${server.baseUrl}/` }).complete(QUESTION);
    expect(server.keys).toEqual([`Bearer ${KEY}`]);
    expect(server.asked).toMatchObject([
      {
        model: 'test-model',
        max_tokens: 20,
        temperature: 0,
        response_format: { type: 'json_schema', json_schema: { name: 'verdict', strict: true } },
      },
    ]);
  });

  it('sends no key without one', async () => {
    const open = await ModelServer.start('');
    try {
      open.next(completion('hello'));
      await modelOf({ baseUrl: open.baseUrl, apiKey: '' }).complete({ system: 's', user: 'u', maxTokens: 5 });
      expect(open.keys).toEqual([undefined]);
    } finally {
      await open.close();
    }
  });

  it('adapts the request to the features of the server, and remembers them', async () => {
    server.refuses = { max_tokens: true, temperature: true, json_schema: true };
    server.next(completion('{"a":1}'), completion('{"a":2}'));
    const model = modelOf();
    expect((await model.complete(QUESTION)).json).toEqual({ a: 1 });
    expect((await model.complete(QUESTION)).json).toEqual({ a: 2 });
    expect(server.keys).toHaveLength(5);
    expect(server.asked[1]).toMatchObject({ max_completion_tokens: 20, response_format: { type: 'json_object' } });
    expect(server.asked[1]).not.toHaveProperty('temperature');
  });

  it('requests JSON as text when the server supports no format, and reads it from a Markdown block', async () => {
    server.refuses = { json_schema: true, json_object: true };
    server.next(completion('```json\n{"a":3}\n```'));
    expect((await modelOf().complete(QUESTION)).json).toEqual({ a: 3 });
    expect(server.asked[0]?.messages[0]?.content).toContain('JSON object');
  });

  it('fails when no adaptation helps', async () => {
    server.otherwise = failure(400, { message: 'temperature max_tokens max_completion_tokens response_format' });
    expect(await errorOf(modelOf())).toMatchObject({ reason: 'rejected' });
    expect(server.asked).toHaveLength(5);
  });

  it.each([
    ['retry-after', '12', 12_000],
    ['retry-after', 'Wed, 25 Nov 2026 12:01:00 GMT', 60_000],
    ['retry-after', 'Wed, 25 Nov 2026 11:00:00 GMT', 0],
    ['retry-after', '999999', 3_600_000],
    ['retry-after', 'soon', null],
    ['retry-after-ms', '1500', 1_500],
  ])('reads %s: %s', async (header, value, retryAfterMs) => {
    server.next(FAILURES.rate_limited({ [header]: value }));
    expect(await errorOf(modelOf())).toMatchObject({ reason: 'rate_limited', retryAfterMs });
  });

  it.each([
    ['500 without JSON', { status: 500, body: '<html>' }, 'server'],
    ['402', failure(402, { message: 'Insufficient Balance' }), 'quota'],
    ['403', failure(403, { message: 'Country not supported' }), 'credentials'],
    ['413', { status: 413, body: '' }, 'too_long'],
    [
      'a context that is too small, in words',
      failure(400, { message: 'prompt exceeds the context window of 4096' }),
      'too_long',
    ],
    ['a filter', failure(400, { message: 'filtered', code: 'content_filter' }), 'refused'],
    ['a filtered answer', completion('x', { finish_reason: 'content_filter' }), 'refused'],
    ['a redirect', { status: 302, headers: { location: 'http://127.0.0.1:1/' }, body: '' }, 'unconfigured'],
    ['200 without JSON', { status: 200, body: 'hello' }, 'malformed'],
    ['no choices', { status: 200, body: { choices: [] } }, 'malformed'],
    ['a choice without a message', { status: 200, body: { choices: [{}] } }, 'malformed'],
    ['a list for an object', completion('[1]'), 'malformed'],
    ['more than a megabyte', completion('x'.repeat(1_100_000)), 'malformed'],
  ])('classifies %s', async (_name, answer, reason) => {
    server.next(answer);
    expect(await errorOf(modelOf())).toMatchObject({ reason });
  });

  it.each([
    ['no JSON', completion('no JSON'), 'no JSON'],
    ['an answer that was cut off', completion('{"word":"y', { finish_reason: 'length' }), '{"word":"y'],
  ])('returns the text with %s, and its token usage', async (_name, answer, text) => {
    server.next(answer);
    expect((await errorOf(modelOf())).answer).toEqual({ text, usage: { inputTokens: 31, outputTokens: 5 } });
  });

  it('times out at any missing part of the answer', async () => {
    server.next('silence');
    expect(await errorOf(modelOf({ timeoutMs: 100 }))).toMatchObject({ reason: 'timeout', failure: 'temporary' });
  });

  it('treats an unreachable server as a temporary failure', async () => {
    const model = modelOf();
    await server.close();
    expect(await errorOf(model)).toMatchObject({ reason: 'unreachable', failure: 'temporary' });
    server = await ModelServer.start(KEY);
  });

  it('sends no request without a model', async () => {
    const model = modelOf({ model: '' });
    expect(model.isConfigured).toBe(false);
    expect(await errorOf(model)).toMatchObject({ reason: 'unconfigured' });
    expect(server.keys).toEqual([]);
  });

  it('never includes the key, the request or the server’s text in an error', async () => {
    const answers = [
      FAILURES.credentials(),
      failure(400, { message: `${KEY} canary-of-a-stranger`, code: KEY, type: 'canary-of-a-stranger x' }),
      failure(500, { message: KEY }),
      completion('canary-of-a-stranger'),
    ];
    for (const answer of answers) {
      server.next(answer);
      const error = await errorOf(modelOf());
      const shown = redact(inspect(error, { depth: 10 })) + JSON.stringify(error);
      expect(error).toBeInstanceOf(LlmError);
      expect(shown).not.toContain('canary');
    }
    server.next('silence');
    const timedOut = await errorOf(modelOf({ timeoutMs: 50 }));
    expect(inspect(timedOut, { depth: 10 })).not.toContain('canary');
  });
});
