import { ModelBudgetService } from '@domain/inbox';
import { OutboundModule } from '@platform/outbound';
import { QueuesModule, QueuesService } from '@platform/queues';
import { eventually, openTestDatabase, type TestDatabase } from '@testing';
import { Types } from 'mongoose';
import { completion, FAILURES, ModelServer } from '../../../../adapters/llm/testing';
import { createLibraryScript } from '../../texts/thread-script';
import { WarmupModule } from '../../warmup.module';
import { type ScriptRequest, WarmupMessageService } from './warmup-message.service';

const BUDGET = 6;
const SEED = { seed: 'thread', day: '2026-11-18' };
const THREAD = {
  subject: 'Our plan for Thursday',
  opening:
    'I have to move our meeting about the plan to Thursday next week, would that be possible for you and your team?',
  answer: 'Thursday is fine for me, thank you for letting me know; I will bring the notes that we made the last time.',
  closing: 'That is very kind of you, and I have just changed the invitation, so that we see each other on Thursday.',
  lastWord: 'Then we have everything that we need from my side, and I am looking forward to it.',
  farewell: 'Thank you for that, and I will write to you as soon as there is news about the plan.',
};
const [opening, answer, closing, lastWord, farewell] = createLibraryScript({ ...SEED, language: 'it' }).bodies;
const italian = { subject: 'Una domanda', opening, answer, closing, lastWord, farewell };
const says = (thread: object) => completion(JSON.stringify(thread));

describe('threads of a language model', () => {
  let database: TestDatabase;
  let server: ModelServer;
  let scripts: WarmupMessageService;
  let request: ScriptRequest;

  beforeAll(async () => {
    server = await ModelServer.start();
    database = await openTestDatabase(
      { imports: [QueuesModule, OutboundModule, WarmupModule] },
      {
        LLM_BASE_URL: server.baseUrl,
        LLM_API_KEY: 'sk-canary-key',
        LLM_MODEL: 'test-model',
        LLM_TIMEOUT_MS: '2500',
        LLM_DAILY_BUDGET: String(BUDGET),
      },
    );
    scripts = database.module.get(WarmupMessageService, { strict: false });
  });
  afterAll(async () => {
    await database.module.get(QueuesService).obliterate();
    await database.close();
    await server.close();
  });
  beforeEach(() => {
    server.asked.length = 0;
    server.otherwise = says(THREAD);
    request = { workspaceId: new Types.ObjectId(), ...SEED, language: 'en', source: 'model' };
  });

  const written = { subject: THREAD.subject, bodies: Object.values(THREAD).slice(1) };
  const ofLibrary = createLibraryScript({ ...SEED, language: 'en' });

  it('are written with one request, which contains no names', async () => {
    expect(await scripts.writeScript(request)).toEqual(written);
    expect(server.asked).toHaveLength(1);
    const asked = JSON.stringify(server.asked[0]);
    expect(asked).not.toContain(request.workspaceId.toHexString());
    expect(asked).not.toContain('@');
  });

  it('are not requested when the mailbox uses the library', async () => {
    expect(await scripts.writeScript({ ...request, source: 'library' })).toEqual(ofLibrary);
    expect(server.asked).toEqual([]);
  });

  it.each([
    ['a link', { ...THREAD, opening: `${THREAD.opening} See www.acme.test for more.` }],
    ['a placeholder', { ...THREAD, closing: `${THREAD.closing} Regards to [Name].` }],
    ['a spam word', { ...THREAD, subject: 'A free lunch for you' }],
    ['too short a text', { ...THREAD, answer: 'Fine.' }],
    ['another language', italian],
    ['an unknown field', { ...THREAD, postscript: 'x' }],
    ['a field that is not text', { ...THREAD, answer: ['x'] }],
  ])('are replaced by the library after a response with %s', async (_name, said) => {
    server.next(says(said));
    expect(await scripts.writeScript(request)).toEqual(ofLibrary);
    expect(server.asked).toHaveLength(1);
  });

  it.each(Object.entries(FAILURES))('are replaced by the library after a failure: %s', async (_reason, failure) => {
    server.next(failure());
    expect(await scripts.writeScript(request)).toEqual(ofLibrary);
    expect(await scripts.writeScript(request)).toEqual(written);
  });

  it('are replaced by the library after a timeout', async () => {
    server.next('silence');
    expect(await scripts.writeScript(request)).toEqual(ofLibrary);
  });

  it('end with the signal, without a written text', async () => {
    const stop = new AbortController();
    server.next('silence');
    const writing = scripts.writeScript(request, stop.signal);
    await eventually('the model is asked', () => server.asked.length === 1);
    stop.abort(new Error('The worker ends'));
    await expect(writing).rejects.toThrow('The worker ends');
  });

  it('use at most half of the workspace’s budget for the day', async () => {
    const all = await Promise.all(Array.from({ length: BUDGET }, () => scripts.writeScript(request)));
    expect(server.asked).toHaveLength(BUDGET / 2);
    expect(all.filter(({ subject }) => subject === ofLibrary.subject)).toHaveLength(BUDGET / 2);
    const budget = database.module.get(ModelBudgetService, { strict: false });
    const left = await Promise.all(Array.from({ length: BUDGET }, () => budget.reserveQuestion(request.workspaceId)));
    expect(left.filter((isTaken) => isTaken)).toHaveLength(BUDGET / 2);
    expect(await scripts.writeScript({ ...request, workspaceId: new Types.ObjectId() })).toEqual(written);
  });

  it('are requested again on the next day', async () => {
    for (let thread = 0; thread < BUDGET; thread += 1) await scripts.writeScript(request);
    expect(server.asked).toHaveLength(BUDGET / 2);
    database.clock.advance(24 * 3_600_000);
    expect(await scripts.writeScript(request)).toEqual(written);
  });
});

describe('without a language model', () => {
  it('every thread is from the library', async () => {
    const imports = [QueuesModule, OutboundModule, WarmupModule];
    const database = await openTestDatabase({ imports });
    try {
      const scripts = database.module.get(WarmupMessageService, { strict: false });
      const request: ScriptRequest = { workspaceId: new Types.ObjectId(), ...SEED, language: 'fr', source: 'model' };
      expect(await scripts.writeScript(request)).toEqual(createLibraryScript(request));
      expect(
        await database.module.get(ModelBudgetService, { strict: false }).reserveQuestion(request.workspaceId),
      ).toBe(true);
    } finally {
      await database.module.get(QueuesService).obliterate();
      await database.close();
    }
  });
});
