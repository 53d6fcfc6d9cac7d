import { Types } from 'mongoose';
import { ModelDayRecord } from '../schemas/model-day.record';
import { InboxFixture } from '../testing/inbox-fixture';
import { ModelBudgetService } from './model-budget.service';

const QUESTIONS = 8;
const TOKENS = 1_000;
const DAY_MS = 86_400_000;

describe('the daily model budget of a workspace', () => {
  let inbox: InboxFixture;
  let budget: ModelBudgetService;
  let workspaceId: Types.ObjectId;

  beforeAll(async () => {
    inbox = await InboxFixture.open({ LLM_DAILY_BUDGET: String(QUESTIONS), LLM_DAILY_TOKENS: String(TOKENS) });
    budget = inbox.get(ModelBudgetService);
  });
  afterAll(() => inbox.close());
  beforeEach(() => {
    workspaceId = new Types.ObjectId();
    inbox.clock.reset();
  });

  const day = (at = inbox.clock.now()) =>
    inbox
      .model<ModelDayRecord>(ModelDayRecord)
      .findOne({ workspaceId, day: at.toISOString().slice(0, 10) })
      .lean();
  const granted = (answers: readonly unknown[]) => answers.filter(Boolean).length;

  it('limits requests, even concurrent ones', async () => {
    const taken = await Promise.all(Array.from({ length: 2 * QUESTIONS }, () => budget.reserveQuestion(workspaceId)));
    expect(granted(taken)).toBe(QUESTIONS);
    expect(await day()).toMatchObject({ questions: QUESTIONS, tokens: 0 });
  });

  it('limits tokens, even for concurrent requests, by reserving their maximum cost', async () => {
    const reserved = await Promise.all(Array.from({ length: QUESTIONS }, () => budget.reserve(workspaceId, 300)));
    expect(granted(reserved)).toBe(3);
    expect(await day()).toMatchObject({ questions: 3, tokens: 900 });
  });

  it('returns reserved but unused tokens', async () => {
    const reserved = await budget.reserve(workspaceId, TOKENS);
    expect(await budget.reserve(workspaceId, 1)).toBeNull();
    if (!reserved) throw new Error('nothing was held back');
    await budget.spend(workspaceId, { inputTokens: 30, outputTokens: 20 }, reserved);
    expect(await day()).toMatchObject({ inputTokens: 30, outputTokens: 20, tokens: 50 });
    expect(await budget.reserve(workspaceId, TOKENS - 50)).not.toBeNull();
  });

  it('counts tokens spent without a reservation, and refuses further requests when it is used up', async () => {
    expect(await budget.reserveQuestion(workspaceId)).toBe(true);
    await budget.spend(workspaceId, { inputTokens: TOKENS - 1, outputTokens: 0 });
    expect(await budget.reserveQuestion(workspaceId)).toBe(true);
    await budget.spend(workspaceId, { inputTokens: 1, outputTokens: 0 });
    expect(await budget.reserveQuestion(workspaceId)).toBe(false);
  });

  it('refuses a request that may cost more than a day’s budget, even the first one', async () => {
    expect(await budget.reserve(workspaceId, TOKENS + 1)).toBeNull();
    expect(await day()).toBeNull();
  });

  it('is renewed the next day, and reservations belong to the previous day', async () => {
    const evening = inbox.clock.now();
    const reserved = await budget.reserve(workspaceId, TOKENS);
    inbox.clock.advance(DAY_MS);
    expect(await budget.reserve(workspaceId, TOKENS)).not.toBeNull();
    if (!reserved) throw new Error('nothing was held back');
    await budget.spend(workspaceId, { inputTokens: 10, outputTokens: 0 }, reserved);
    expect(await day(evening)).toMatchObject({ tokens: 10 });
    expect(await day()).toMatchObject({ tokens: TOKENS });
  });

  it('supports a day that began before tokens were counted', async () => {
    const begun = { workspaceId, day: inbox.clock.now().toISOString().slice(0, 10), questions: 1 };
    await inbox.model<ModelDayRecord>(ModelDayRecord).collection.insertOne({ ...begun, _id: new Types.ObjectId() });
    expect(await budget.reserve(workspaceId, 300)).not.toBeNull();
    expect(await day()).toMatchObject({ questions: 2, tokens: 300 });
  });

  it('can be limited to a share, which leaves the rest to other purposes', async () => {
    const taken = await Promise.all(Array.from({ length: QUESTIONS }, () => budget.reserveQuestion(workspaceId, 0.5)));
    expect(granted(taken)).toBe(QUESTIONS / 2);
    expect(await budget.reserveQuestion(workspaceId)).toBe(true);
  });
});

describe('without a limit of tokens', () => {
  let inbox: InboxFixture;

  beforeAll(async () => {
    inbox = await InboxFixture.open({ LLM_DAILY_TOKENS: '0' });
  });
  afterAll(() => inbox.close());

  it('accepts any request', async () => {
    expect(await inbox.get(ModelBudgetService).reserve(new Types.ObjectId(), 1_000_000_000)).not.toBeNull();
  });
});
