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

describe('a language model that writes threads of warmup', () => {
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

  it('writes all mails of a thread by one question, in which nobody is named', async () => {
    expect(await scripts.writeScript(request)).toEqual(written);
    expect(server.asked).toHaveLength(1);
    const asked = JSON.stringify(server.asked[0]);
    expect(asked).not.toContain(request.workspaceId.toHexString());
    expect(asked).not.toContain('@');
  });

  it('is not asked where the mailbox takes its texts out of the library', async () => {
    expect(await scripts.writeScript({ ...request, source: 'library' })).toEqual(ofLibrary);
    expect(server.asked).toEqual([]);
  });

  it.each([
    ['a link', { ...THREAD, opening: `${THREAD.opening} See www.acme.test for more.` }],
    ['a placeholder', { ...THREAD, closing: `${THREAD.closing} Regards to [Name].` }],
    ['a word of advertising', { ...THREAD, subject: 'A free lunch for you' }],
    ['too little', { ...THREAD, answer: 'Fine.' }],
    ['another language', italian],
    ['another form', { ...THREAD, postscript: 'x' }],
    ['a field that is no text', { ...THREAD, answer: ['x'] }],
  ])('is not taken at its word when it writes %s: the library writes the thread', async (_name, said) => {
    server.next(says(said));
    expect(await scripts.writeScript(request)).toEqual(ofLibrary);
    expect(server.asked).toHaveLength(1);
  });

  it.each(Object.entries(FAILURES))('leaves the thread to the library when it fails: %s', async (_reason, failure) => {
    server.next(failure());
    expect(await scripts.writeScript(request)).toEqual(ofLibrary);
    expect(await scripts.writeScript(request)).toEqual(written);
  });

  it('leaves the thread to the library when it does not answer in time', async () => {
    server.next('silence');
    expect(await scripts.writeScript(request)).toEqual(ofLibrary);
  });

  it('ends with the signal, and writes nothing then', async () => {
    const stop = new AbortController();
    server.next('silence');
    const writing = scripts.writeScript(request, stop.signal);
    await eventually('the model is asked', () => server.asked.length === 1);
    stop.abort(new Error('The worker ends'));
    await expect(writing).rejects.toThrow('The worker ends');
  });

  it('is asked for half of the day’s budget of a workspace, and leaves the rest to others', async () => {
    const all = await Promise.all(Array.from({ length: BUDGET }, () => scripts.writeScript(request)));
    expect(server.asked).toHaveLength(BUDGET / 2);
    expect(all.filter(({ subject }) => subject === ofLibrary.subject)).toHaveLength(BUDGET / 2);
    const budget = database.module.get(ModelBudgetService, { strict: false });
    const left = await Promise.all(Array.from({ length: BUDGET }, () => budget.reserveQuestion(request.workspaceId)));
    expect(left.filter((isTaken) => isTaken)).toHaveLength(BUDGET / 2);
    expect(await scripts.writeScript({ ...request, workspaceId: new Types.ObjectId() })).toEqual(written);
  });

  it('is asked again on the next day', async () => {
    for (let thread = 0; thread < BUDGET; thread += 1) await scripts.writeScript(request);
    expect(server.asked).toHaveLength(BUDGET / 2);
    database.clock.advance(24 * 3_600_000);
    expect(await scripts.writeScript(request)).toEqual(written);
  });
});

describe('without a language model', () => {
  it('every thread is the library’s', async () => {
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
