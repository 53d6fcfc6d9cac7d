import { requestedDays } from './requested-days';

const NOW = new Date('2026-11-21T18:20:00Z');

describe('the requested days', () => {
  it('are the thirty days up to today in the zone, or up to the given end', () => {
    expect(requestedDays({}, 'UTC', NOW)).toEqual({ from: '2026-10-23', to: '2026-11-21' });
    expect(requestedDays({}, 'Asia/Kathmandu', NOW)).toEqual({ from: '2026-10-24', to: '2026-11-22' });
    expect(requestedDays({ to: '2026-01-30' }, 'UTC', NOW)).toEqual({ from: '2026-01-01', to: '2026-01-30' });
    expect(requestedDays({ from: '2026-11-20' }, 'UTC', NOW)).toEqual({ from: '2026-11-20', to: '2026-11-21' });
  });

  it('are at most 366, and end no earlier than they begin', () => {
    expect(() => requestedDays({ from: '2024-01-01', to: '2024-12-31' }, 'UTC', NOW)).not.toThrow();
    expect(() => requestedDays({ from: '2024-01-01', to: '2025-01-01' }, 'UTC', NOW)).toThrow('366');
    expect(() => requestedDays({ from: '2024-01-02', to: '2024-01-01' }, 'UTC', NOW)).toThrow('earlier');
  });
});
