import { isWholeLog, getStatsDifferences } from './stats-differences';

const at = (minute: number): Date => new Date(Date.UTC(2026, 0, 1, 0, minute));
const stats = (totalDelivered: number, totalFailed: number, lastDeliveredAt: Date | null = null) => ({
  totalDelivered,
  totalFailed,
  lastDeliveredAt,
});

describe('the comparison of webhook statistics with the log', () => {
  it.each([
    ['both agree', stats(3, 2, at(1)), stats(3, 2, at(1)), []],
    ['there are no deliveries', stats(0, 0), stats(0, 0), []],
    ['the log holds more deliveries', stats(3, 0), stats(4, 1), ['totalDelivered 3 4', 'totalFailed 0 1']],
    ['the log holds fewer deliveries', stats(3, 2), stats(1, 1), ['totalDelivered 3 1', 'totalFailed 2 1']],
    ['the statistics have a later acceptance of the same delivery', stats(1, 0, at(5)), stats(1, 0, at(1)), []],
    [
      'the log has a later acceptance',
      stats(1, 0, at(1)),
      stats(1, 0, at(5)),
      [`lastDeliveredAt ${at(1).toISOString()} ${at(5).toISOString()}`],
    ],
    [
      'the statistics have no acceptance',
      stats(1, 0),
      stats(1, 0, at(5)),
      [`lastDeliveredAt null ${at(5).toISOString()}`],
    ],
  ])('with a complete log, when %s', (_, is, held, expected) => {
    const found = getStatsDifferences(is, held, true).map(
      ({ figure, is: was, shouldBe }) => `${figure} ${was} ${shouldBe}`,
    );
    expect(found).toEqual(expected);
  });

  it('with an incomplete log, accepts higher statistics and corrects lower ones', () => {
    expect(getStatsDifferences(stats(300, 200, at(1)), stats(3, 2, null), false)).toEqual([]);
    expect(getStatsDifferences(stats(3, 0, at(1)), stats(4, 0, at(1)), false)).toEqual([
      { figure: 'totalDelivered', is: 3, shouldBe: 4 },
    ]);
  });

  it.each([
    [0, true],
    [30 * 86_400_000 - 1, true],
    [30 * 86_400_000, false],
  ])('%i ms after the creation of the webhook, the log is complete: %s', (age, whole) => {
    expect(isWholeLog({ createdAt: at(0) }, new Date(at(0).getTime() + age))).toBe(whole);
  });
});
