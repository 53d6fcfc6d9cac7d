import { requireReplayWindow } from './replay-window';

const NOW = new Date('2026-11-21T12:00:00.000Z');
const KEPT_FROM = '2026-10-22T12:00:00.000Z';

describe('the window of a replay', () => {
  it.each([
    ['a day', '2026-11-20T12:00:00Z', '2026-11-21T12:00:00Z', '2026-11-21T12:00:00.000Z'],
    ['a millisecond', '2026-11-21T11:59:59.998Z', '2026-11-21T11:59:59.999Z', '2026-11-21T11:59:59.999Z'],
    [
      'the same window in another time zone',
      '2026-11-21T12:00:00+01:00',
      '2026-11-21T12:30:00+01:00',
      '2026-11-21T11:30:00.000Z',
    ],
    ['30 days', KEPT_FROM, '2026-11-21T12:00:00Z', '2026-11-21T12:00:00.000Z'],
    ['its past part, when it ends in the future', '2026-11-21T11:00:00Z', '2099-01-01T00:00:00Z', NOW.toISOString()],
  ])('is %s', (_what, from, to, until) => {
    const window = requireReplayWindow({ from, to }, NOW);
    expect([window.from.getTime(), window.to.toISOString()]).toEqual([Date.parse(from), until]);
  });

  it.each([
    ['to', 'is empty', '2026-11-20T12:00:00Z', '2026-11-20T12:00:00Z'],
    ['to', 'ends before it begins', '2026-11-20T12:00:00Z', '2026-11-20T11:00:00Z'],
    ['from', 'begins now', '2026-11-21T12:00:00Z', '2026-11-21T13:00:00Z'],
    ['from', 'is in the future', '2026-11-22T12:00:00Z', '2026-11-23T12:00:00Z'],
    ['from', 'is before the retention time', '2026-10-22T11:59:59.999Z', '2026-11-20T12:00:00Z'],
  ])('is rejected with an error for %s when it %s', (field, _what, from, to) => {
    expect(() => requireReplayWindow({ from, to }, NOW)).toThrow(new RegExp(`^${field} must`));
  });
});
