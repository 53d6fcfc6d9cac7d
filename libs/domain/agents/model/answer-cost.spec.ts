import { estimatedTokens, getSum } from './answer-cost';

describe('tokens', () => {
  it('adds up', () => {
    expect(getSum({ inputTokens: 1, outputTokens: 2 }, { inputTokens: 10, outputTokens: 20 })).toEqual({
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
