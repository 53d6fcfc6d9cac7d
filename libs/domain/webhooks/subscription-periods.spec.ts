import { updatePeriods, wasSubscribed } from './subscription-periods';

const at = (minutes: number): Date => new Date(Date.UTC(2026, 10, 21) + minutes * 60_000);
const DAYS = 1_440;

describe('the subscription of a webhook at a point in time', () => {
  const periods = [
    { from: at(0), events: ['email.sent' as const] },
    { from: at(10), events: [] },
    { from: at(20), events: ['email.sent' as const, 'email.replied' as const] },
  ];

  it.each([
    ['before its creation', -1, 'email.sent', false],
    ['from its creation on', 0, 'email.sent', true],
    ['for another event type', 5, 'email.replied', false],
    ['while it was inactive', 10, 'email.sent', false],
    ['just before its reactivation', 19, 'email.sent', false],
    ['for an event type of a later subscription', 20, 'email.replied', true],
    ['now', 99_999, 'email.sent', true],
  ] as const)('%s', (_what, minutes, type, is) => {
    expect(wasSubscribed(periods, type, at(minutes))).toBe(is);
  });

  it('drops periods that ended a week ago, never the current one', () => {
    const first = updatePeriods([], ['email.sent'], at(0));
    const second = updatePeriods(first, [], at(5 * DAYS));
    expect(second).toHaveLength(2);
    const third = updatePeriods(second, ['email.sent'], at(12 * DAYS));
    expect(third.map(({ from }) => from)).toEqual([at(5 * DAYS), at(12 * DAYS)]);
    expect(wasSubscribed(third, 'email.sent', at(6 * DAYS))).toBe(false);
  });
});
