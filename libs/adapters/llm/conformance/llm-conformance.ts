import { type LanguageModelPort, type ModelRequest } from '../port/language-model.port';
import { LlmError, type LlmReason } from '../port/llm.errors';

/** A model, and what its other side is made to do. */
export interface LlmTestEnvironment {
  readonly model: LanguageModelPort;
  /** The next answer. */
  says(text: string): void;
  /** The next answer is this failure. */
  fails(reason: LlmReason, retryAfterMs?: number): void;
  /** The next question is never answered. */
  staysSilent(): void;
  /** What has come to the other side. */
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

/** What every way to a model promises: called once for each of them. */
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

    it('it is configured and has a name', () => {
      expect(environment.model.isConfigured).toBe(true);
      expect(environment.model.name).not.toBe('');
    });

    it('hands over both parts of the question as they are, and gives the answer with what it cost', async () => {
      environment.says('yes – ja');
      const answer = await environment.model.complete(QUESTION);
      expect(answer).toMatchObject({ text: 'yes – ja', json: undefined });
      expect(answer.usage.inputTokens).toBeGreaterThan(0);
      expect(answer.usage.outputTokens).toBeGreaterThan(0);
      expect(environment.asked()).toEqual([{ system: QUESTION.system, user: QUESTION.user, maxTokens: 50 }]);
    });

    it('gives an answer by a schema parsed', async () => {
      environment.says('{"word":"yes"}');
      const { json, text } = await environment.model.complete({ ...QUESTION, schema: SCHEMA });
      expect(json).toEqual({ word: 'yes' });
      expect(text).toBe('{"word":"yes"}');
    });

    it.each(['{"word":', 'yes', ''])(
      'says of the answer %j, where JSON was asked for, that it is malformed',
      async (text) => {
        environment.says(text);
        const error = await failure({ ...QUESTION, schema: SCHEMA });
        expect(error).toBeInstanceOf(LlmError);
        expect(error).toMatchObject({ reason: 'malformed', failure: 'temporary', type: { failure: 'temporary' } });
      },
    );

    it.each(FAILURES)('tells of %s, which is %s', async (reason, kind) => {
      environment.fails(reason);
      const error = await failure({ ...QUESTION, schema: SCHEMA });
      expect(error).toBeInstanceOf(LlmError);
      expect(error).toMatchObject({ reason, failure: kind, type: { failure: kind } });
      environment.says('well');
      expect((await environment.model.complete(QUESTION)).text).toBe('well');
    });

    it('says when it may be asked again', async () => {
      environment.fails('rate_limited', 7_000);
      expect(await failure(QUESTION)).toMatchObject({ reason: 'rate_limited', retryAfterMs: 7_000 });
    });

    it('ends with the reason of the signal, at once when that was given before', async () => {
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
