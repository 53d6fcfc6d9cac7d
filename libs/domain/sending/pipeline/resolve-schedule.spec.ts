import { nextResolveAt, UNCONFIRMED_AFTER_MS } from './resolve-schedule';

const MINUTE = 60_000;
const WIRE = new Date('2026-11-25T12:00:00.000Z');
const after = (minutes: number) => new Date(WIRE.getTime() + minutes * MINUTE);
const minutesOf = (at: Date) => (at.getTime() - WIRE.getTime()) / MINUTE;

describe('the schedule of resolutions', () => {
  it.each([
    [0, 1],
    [1, 2],
    [1.6, 5],
    [3, 5],
    [9, 10],
    [39, 40],
    [80, 160],
    [160, 360],
    [300, 360],
  ])('after %d minutes, the next resolution is at minute %d', (now, expected) => {
    expect(minutesOf(nextResolveAt(WIRE, after(now)))).toBe(expected);
  });

  it('resolutions are few and spaced, and the last one is at the time when the send counts as sent', () => {
    const resolutions: number[] = [];
    for (let now = WIRE; now.getTime() < WIRE.getTime() + UNCONFIRMED_AFTER_MS; now = nextResolveAt(WIRE, now)) {
      resolutions.push(minutesOf(now));
    }
    expect(resolutions).toEqual([0, 1, 2, 5, 10, 20, 40, 80, 160]);
    expect(minutesOf(nextResolveAt(WIRE, after(160)))).toBe(360);
  });

  it('the next resolution follows soon if the last one failed', () => {
    expect(minutesOf(nextResolveAt(WIRE, after(360)))).toBe(360.5);
    expect(minutesOf(nextResolveAt(WIRE, after(9_000)))).toBe(9_000.5);
  });
});
