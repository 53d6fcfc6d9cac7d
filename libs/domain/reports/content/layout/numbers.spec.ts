import {
  formatAmount,
  getChange,
  formatAxisDay,
  formatDays,
  formatMoment,
  formatRate,
  formatShortAmount,
} from './numbers';

describe('formatted numbers', () => {
  it.each([
    [0, '0', '0'],
    [12_345, '12,345', '12,345'],
    [1_234_567, '1,234,567', '1.2M'],
  ])('%d', (value, full, short) => {
    expect([formatAmount(value), formatShortAmount(value)]).toEqual([full, short]);
  });

  it.each([
    [0, 0, '–'],
    [0, 10, '0%'],
    [1, 3, '33.3%'],
    [3, 2, '150%'],
  ])('%d of %d', (part, of, expected) => {
    expect(formatRate(part, of)).toBe(expected);
  });

  it.each([
    [12, 8, 'up', '+4 (+50%)', '+4', 'better'],
    [8, 12, 'up', '−4 (−33.3%)', '−4', 'worse'],
    [8, 12, 'down', '−4 (−33.3%)', '−4', 'better'],
    [12, 8, 'down', '+4 (+50%)', '+4', 'worse'],
    [5, 0, 'up', '+5', '+5', 'better'],
    [0, 5, null, '−5 (−100%)', '−5', 'same'],
    [5, 5, 'up', 'no change', '', 'same'],
    [2_000, 0, 'up', '+2,000', '+2,000', 'better'],
  ] as const)('now %d, before %d, good when %s', (now, before, isGoodWhen, text, by, tone) => {
    expect(getChange(now, before, isGoodWhen)).toEqual({ text, by, tone });
  });
});

describe('formatted days', () => {
  it.each([
    ['2026-11-15', '2026-11-15', 'Sun, 15 Nov 2026'],
    ['2026-11-09', '2026-11-15', 'Mon, 9 Nov – Sun, 15 Nov 2026'],
    ['2026-12-28', '2027-01-03', 'Mon, 28 Dec 2026 – Sun, 3 Jan 2027'],
  ])('%s to %s', (first, last, expected) => {
    expect(formatDays({ first, last })).toBe(expected);
  });

  it('are short on an axis, and times are those of the zone', () => {
    expect(formatAxisDay('2026-09-02')).toBe('2 Sep');
    expect(formatMoment(new Date('2026-11-15T23:30:00Z'), 'Asia/Tokyo')).toBe('16 Nov 2026, 08:30');
  });
});
