import { estimateTokens, addUsage } from './answer-cost';

describe('tokens', () => {
  it('are summed', () => {
    expect(addUsage({ inputTokens: 1, outputTokens: 2 }, { inputTokens: 10, outputTokens: 20 })).toEqual({
      inputTokens: 11,
      outputTokens: 22,
    });
  });

  it('are reserved by the bytes of the request, for any script', () => {
    expect(estimateTokens('')).toBe(0);
    expect(estimateTokens('abcde')).toBe(2);
    expect(estimateTokens('你好')).toBe(3);
  });
});
