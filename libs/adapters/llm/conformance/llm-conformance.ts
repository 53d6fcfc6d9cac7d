import { type LanguageModelPort, type ModelRequest } from '../port/language-model.port';
import { LlmError, type LlmReason } from '../port/llm.errors';

/** A model and its scripted server. */
export interface LlmTestEnvironment {
  readonly model: LanguageModelPort;
  /** Scripts the next answer. */
  says(text: string): void;
  /** Scripts a failure for the next request. */
  fails(reason: LlmReason, retryAfterMs?: number): void;
  /** The next request gets no response. */
  staysSilent(): void;
  /** The requests that the server received. */
  asked(): { readonly system: string; readonly user: string; readonly maxTokens: number }[];
  close(): Promise<void>;
}

const QUESTION: ModelRequest = { system: 'Answer in one word.', user: 'Grüße, “is” it? 你好 \u{1f600}', maxTokens: 50 };
const SCHEMA = {
  name: 'verdict',
  schema: {
    type: 'object',
    properties: { word: { type: 'string' } },
    required: ['word'],
    additionalProperties: false,
  },
};

const FAILURES: readonly (readonly [LlmReason, string])[] = [
  ['rate_limited', 'temporary'],
  ['server', 'temporary'],
  ['credentials', 'needs-human'],
  ['quota', 'needs-human'],
  ['unconfigured', 'needs-human'],
  ['too_long', 'permanent'],
  ['refused', 'permanent'],
  ['truncated', 'permanent'],
  ['rejected', 'permanent'],
];

/** The conformance suite of all model drivers; each driver calls it once. */
export function describeLanguageModel(name: string, open: () => Promise<LlmTestEnvironment>): void {
  describe(`${name} keeps the port's promises:`, () => {
    let environment: LlmTestEnvironment;
    beforeEach(async () => {
      environment = await open();
    });
    afterEach(() => environment.close());

    const failure = (request: ModelRequest) =>
      environment.model.complete(request).then(
        () => null,
        (error: unknown) => error,
      );

    it('is configured and has a name', () => {
      expect(environment.model.isConfigured).toBe(true);
      expect(environment.model.name).not.toBe('');
    });

    it('sends both parts of the request unchanged, and returns the answer with its token usage', async () => {
      environment.says('yes – ja');
      const answer = await environment.model.complete(QUESTION);
      expect(answer).toMatchObject({ text: 'yes – ja', json: undefined });
      expect(answer.usage.inputTokens).toBeGreaterThan(0);
      expect(answer.usage.outputTokens).toBeGreaterThan(0);
      expect(environment.asked()).toEqual([{ system: QUESTION.system, user: QUESTION.user, maxTokens: 50 }]);
    });

    it('returns the parsed answer when a schema is given', async () => {
      environment.says('{"word":"yes"}');
      const { json, text } = await environment.model.complete({ ...QUESTION, schema: SCHEMA });
      expect(json).toEqual({ word: 'yes' });
      expect(text).toBe('{"word":"yes"}');
    });

    it.each(['{"word":', 'yes', ''])('reports the answer %j as malformed when JSON was requested', async (text) => {
      environment.says(text);
      const error = await failure({ ...QUESTION, schema: SCHEMA });
      expect(error).toBeInstanceOf(LlmError);
      expect(error).toMatchObject({ reason: 'malformed', failure: 'temporary', type: { failure: 'temporary' } });
    });

    it.each(FAILURES)('reports %s, which is %s', async (reason, kind) => {
      environment.fails(reason);
      const error = await failure({ ...QUESTION, schema: SCHEMA });
      expect(error).toBeInstanceOf(LlmError);
      expect(error).toMatchObject({ reason, failure: kind, type: { failure: kind } });
      environment.says('well');
      expect((await environment.model.complete(QUESTION)).text).toBe('well');
    });

    it('reports when a retry is allowed', async () => {
      environment.fails('rate_limited', 7_000);
      expect(await failure(QUESTION)).toMatchObject({ reason: 'rate_limited', retryAfterMs: 7_000 });
    });

    it('ends with the reason of the signal, immediately when the signal is already aborted', async () => {
      environment.staysSilent();
      const patience = new AbortController();
      const asking = failure({ ...QUESTION, signal: patience.signal });
      const reason = new Error('enough');
      patience.abort(reason);
      expect(await asking).toBe(reason);
      expect(await failure({ ...QUESTION, signal: patience.signal })).toBe(reason);
    });
  });
}
