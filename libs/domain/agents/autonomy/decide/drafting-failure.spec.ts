import { LlmError, type LlmReason } from '@adapters/llm';
import { agentsSwitchedOff, answerUnusable, modelBudgetUsedUp, modelNotConfigured } from '../../agent.errors';
import { decideAfterDraftingFailure, MAX_WRITINGS } from './drafting-failure';

const NOON = new Date('2026-11-25T12:00:00Z');
const minutes = (count: number) => new Date(NOON.getTime() + count * 60_000);
const after = (error: unknown, attempts = 1) => decideAfterDraftingFailure(error, NOON, attempts);

it.each<[LlmReason, number, Date]>([
  ['timeout', 1, minutes(1)],
  ['server', 2, minutes(4)],
  ['rate_limited', 3, minutes(16)],
  ['unreachable', 4, minutes(64)],
  ['credentials', 1, minutes(15)],
])('retries after %s at attempt %d', (reason, attempts, at) => {
  expect(after(new LlmError(reason, 'x'), attempts)).toMatchObject({ kind: 'again', at, counts: true, cause: 'model' });
});

it('waits as long as the server asks', () => {
  const error = new LlmError('rate_limited', 'x', { retryAfterMs: 600_000 });
  expect(after(error)).toMatchObject({ kind: 'again', at: minutes(10) });
});

it.each<[LlmReason, number]>([
  ['refused', 1],
  ['truncated', 1],
  ['too_long', 1],
  ['timeout', MAX_WRITINGS],
  ['credentials', MAX_WRITINGS],
])('fails after %s at attempt %d', (reason, attempts) => {
  expect(after(new LlmError(reason, 'x'), attempts)).toMatchObject({ kind: 'over', state: 'failed', cause: 'model' });
});

it('waits for the next day of the budget, and for an operator, without counting an attempt', () => {
  const tomorrow = new Date('2026-11-26T00:00:00Z');
  expect(after(modelBudgetUsedUp(), 5)).toMatchObject({ kind: 'again', at: tomorrow, counts: false });
  expect(after(modelNotConfigured(), 5)).toMatchObject({ kind: 'again', at: minutes(15), counts: false });
});

it('ends with the kill switch, and with an answer that broke a rule twice', () => {
  expect(after(agentsSwitchedOff())).toMatchObject({ kind: 'over', state: 'cancelled', cause: 'kill_switch' });
  expect(after(answerUnusable('is empty'))).toMatchObject({ kind: 'over', state: 'failed', cause: 'model' });
});

it('does not classify errors that are no failure of the model', () => {
  expect(after(new Error('the database is away'))).toBeNull();
});
