import { areHard } from './soft-bounces';

const days = (...days: number[]) => days.map((day) => new Date(Date.UTC(2026, 10, 1) + day * 86_400_000));

describe('soft bounces', () => {
  it.each([
    ['one', days(1), false],
    ['two', days(1, 2), false],
    ['three within seven days', days(1, 4, 8), true],
    ['three that were read in another order', days(8, 1, 4), true],
    ['three in more than seven days', days(1, 4, 8.1), false],
    ['the last three of many', days(1, 20, 22, 24), true],
    ['none', [], false],
  ])('%s: hard is %s', (_what, at, hard) => {
    expect(areHard(at)).toBe(hard);
  });

  it('that report the same email twice count once', () => {
    expect(areHard([...days(1, 2), new Date(days(2)[0]!.getTime() + 1_000)])).toBe(false);
  });
});
