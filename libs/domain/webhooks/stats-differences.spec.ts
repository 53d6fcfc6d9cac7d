import { isWhole, getStatsDifferences } from './stats-differences';

const at = (minute: number): Date => new Date(Date.UTC(2026, 0, 1, 0, minute));
const stats = (totalDelivered: number, totalFailed: number, lastDeliveredAt: Date | null = null) => ({
  totalDelivered,
  totalFailed,
  lastDeliveredAt,
});

describe('the figures of a webhook beside its log', () => {
  it.each([
    ['both are the same', stats(3, 2, at(1)), stats(3, 2, at(1)), []],
    ['nothing ever happened', stats(0, 0), stats(0, 0), []],
    ['the log holds more', stats(3, 0), stats(4, 1), ['totalDelivered 3 4', 'totalFailed 0 1']],
    ['the log holds less', stats(3, 2), stats(1, 1), ['totalDelivered 3 1', 'totalFailed 2 1']],
    ['it was accepted once more later', stats(1, 0, at(5)), stats(1, 0, at(1)), []],
    [
      'it was accepted later than known',
      stats(1, 0, at(1)),
      stats(1, 0, at(5)),
      [`lastDeliveredAt ${at(1).toISOString()} ${at(5).toISOString()}`],
    ],
    ['no acceptance is known', stats(1, 0), stats(1, 0, at(5)), [`lastDeliveredAt null ${at(5).toISOString()}`]],
  ])('while the log is whole: %s', (_, is, held, expected) => {
    const found = getStatsDifferences(is, held, true).map(
      ({ figure, is: was, shouldBe }) => `${figure} ${was} ${shouldBe}`,
    );
    expect(found).toEqual(expected);
  });

  it('may be more than an older webhook’s log holds, and never less', () => {
    expect(getStatsDifferences(stats(300, 200, at(1)), stats(3, 2, null), false)).toEqual([]);
    expect(getStatsDifferences(stats(3, 0, at(1)), stats(4, 0, at(1)), false)).toEqual([
      { figure: 'totalDelivered', is: 3, shouldBe: 4 },
    ]);
  });

  it.each([
    [0, true],
    [30 * 86_400_000 - 1, true],
    [30 * 86_400_000, false],
  ])('%i ms after the webhook was made the log is whole: %s', (age, whole) => {
    expect(isWhole({ createdAt: at(0) }, new Date(at(0).getTime() + age))).toBe(whole);
  });
});
