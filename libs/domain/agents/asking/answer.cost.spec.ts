import { costOf, estimatedTokens, sumOf } from './answer.cost';

describe('what an answer costs', () => {
  it.each([
    [{ inputTokens: 1_000_000, outputTokens: 0 }, 0.15],
    [{ inputTokens: 0, outputTokens: 1_000_000 }, 0.6],
    [{ inputTokens: 1, outputTokens: 1 }, 0.000_000_75],
    [{ inputTokens: 31, outputTokens: 5 }, 0.000_007_65],
    [{ inputTokens: 0, outputTokens: 0 }, 0],
  ])('%j costs %d at 0.15 and 0.6 for a million', (usage, cost) => {
    expect(costOf(usage, { input: 0.15, output: 0.6 })).toBe(cost);
  });

  it('is nothing without prices', () => {
    expect(costOf({ inputTokens: 9, outputTokens: 9 }, { input: 0, output: 0 })).toBe(0);
  });

  it('adds up', () => {
    expect(sumOf({ inputTokens: 1, outputTokens: 2 }, { inputTokens: 10, outputTokens: 20 })).toEqual({
      inputTokens: 11,
      outputTokens: 22,
    });
  });

  it('is held back by the bytes of the question, whatever the script', () => {
    expect(estimatedTokens('')).toBe(0);
    expect(estimatedTokens('abcde')).toBe(2);
    expect(estimatedTokens('你好')).toBe(3);
  });
});
