import { getDays, getPeriod } from './period';

const NOW = new Date('2026-11-21T18:20:00Z');

describe('the period of requested figures', () => {
  it('is the last thirty days of the zone by default', () => {
    expect(getPeriod({}, 'UTC', NOW)).toMatchObject({ first: '2026-10-23', last: '2026-11-21' });
  });

  it('starts and ends with the days of the zone', () => {
    const period = getPeriod({ from: '2026-11-01', to: '2026-11-01' }, 'Asia/Kathmandu', NOW);
    expect(period).toMatchObject({ from: new Date('2026-10-31T18:15:00Z'), until: new Date('2026-11-01T18:15:00Z') });
  });

  it('has no gap between days when clocks change', () => {
    const days = getDays(getPeriod({ from: '2026-10-24', to: '2026-10-26' }, 'Europe/Berlin', NOW));
    const hours = days.map(({ from, until }) => (until.getTime() - from.getTime()) / 3_600_000);
    expect(hours).toEqual([24, 25, 24]);
    expect(days[0]?.until).toEqual(days[1]?.from);
  });
});
