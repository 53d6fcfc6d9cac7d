import fc from 'fast-check';
import { getDefaultConfig } from '../config/warmup-defaults';
import {
  getFullVolume,
  getReservedMails,
  getMailsPerThread,
  getMaxOpenings,
  getMaxReceived,
  getOpenings,
  getRoomForAnswers,
  getWarmupShare,
  getVolume,
} from './volume';

const CONFIG = getDefaultConfig('google');

const configs = fc
  .record({
    startingVolume: fc.integer({ min: 1, max: 200 }),
    dailyIncrease: fc.integer({ min: 1, max: 50 }),
    targetVolume: fc.integer({ min: 1, max: 200 }),
    budgetShare: fc.integer({ min: 1, max: 100 }),
    inbox: fc.integer({ min: 0, max: 100 }),
  })
  .map(({ inbox, ...given }) => ({
    ...CONFIG,
    ...given,
    replyRates: { ...CONFIG.replyRates, inbox: { min: 0, max: inbox } },
  }));
const limits = fc.integer({ min: 1, max: 10_000 });

describe('the volume of a day', () => {
  it.each([
    [1, 10],
    [2, 11],
    [15, 24],
    [16, 25],
    [17, 25],
    [400, 25],
  ])('is, on day %i of the defaults, %i threads', (day, expected) => {
    expect(getVolume(day, CONFIG, null)).toBe(expected);
  });

  it('does not exceed the ceiling of a slowdown and is at least one', () => {
    expect(getVolume(9, CONFIG, { ceiling: 4 })).toBe(4);
    expect(getVolume(9, CONFIG, { ceiling: 0 })).toBe(1);
  });

  it('never falls from day to day, rises by at most the increase, and ends at the target', () => {
    fc.assert(
      fc.property(configs, fc.integer({ min: 1, max: 300 }), (config, day) => {
        const [today, tomorrow] = [getVolume(day, config, null), getVolume(day + 1, config, null)];
        expect(tomorrow).toBeGreaterThanOrEqual(today);
        expect(tomorrow - today).toBeLessThanOrEqual(config.dailyIncrease);
        expect(getVolume(1_000, config, null)).toBe(config.targetVolume);
      }),
    );
  });
});

describe('the share of a mailbox’s limit', () => {
  it.each([
    [30, 60, 18],
    [30, 50, 15],
    [1, 60, 0],
    [1, 100, 1],
    [3, 33, 0],
  ])('is, for a limit of %i at %i %%, %i emails', (limit, budgetShare, expected) => {
    expect(getWarmupShare(limit, { budgetShare })).toBe(expected);
  });

  it('of a new mailbox covers the first day of the defaults; the full defaults need a limit of 75', () => {
    expect(getMaxOpenings(30, CONFIG)).toBe(10);
    expect(getFullVolume(CONFIG, 75)).toBe(25);
    expect(getFullVolume(CONFIG, 70)).toBe(23);
  });

  it.each([
    // The number of threads and the limit; a thread takes 1.79 mails at the highest rate.
    [10, 100, 18],
    [25, 100, 45],
    [10, 30, 18],
    [1, 50, 2],
    [0, 50, 0],
  ])('reserves for %i threads, with a limit of %i, %i mails', (openings, limit, expected) => {
    expect(getReservedMails(openings, limit, CONFIG)).toBe(expected);
  });

  it('includes the expected answers of a thread', () => {
    expect(getMailsPerThread({ inbox: { min: 0, max: 0 } })).toBe(1);
    expect(getMailsPerThread({ inbox: { min: 0, max: 50 } })).toBe(1 + 0.5 + 0.25 + 0.125 + 0.0625);
    expect(getMailsPerThread({ inbox: { min: 100, max: 100 } })).toBe(5);
  });

  it('is never exceeded by openings and reserved answers', () => {
    fc.assert(
      fc.property(configs, limits, fc.integer({ min: 1, max: 300 }), (config, dailySendLimit, day) => {
        const share = getWarmupShare(dailySendLimit, config);
        const openings = getOpenings(day, config, { slowdown: null, dailySendLimit });
        const room = getRoomForAnswers(share, { openings, answered: 0 });
        expect(openings).toBeLessThanOrEqual(Math.min(share, getVolume(day, config, null)));
        expect(openings + room).toBeLessThanOrEqual(share);
        expect(openings > 0).toBe(share > 0);
        expect(getRoomForAnswers(share, { openings, answered: room })).toBe(0);
      }),
    );
  });

  it('allows a mailbox to receive at least as many threads as it begins when there are few answers', () => {
    const openings = getOpenings(30, CONFIG, { slowdown: null, dailySendLimit: 100 });
    expect(getMaxReceived(100, CONFIG, openings)).toBeGreaterThanOrEqual(openings);
    // 50 mails of the share remain, a thread has 0.785 answers on average, and a margin of a fifth applies.
    expect(getMaxReceived(100, CONFIG, 10)).toBe(77);
    expect(getMaxReceived(1, CONFIG, 1)).toBe(0);
    const silent = { ...CONFIG, replyRates: { ...CONFIG.replyRates, inbox: { min: 0, max: 0 } } };
    expect(getMaxReceived(30, silent, 10)).toBe(Infinity);
  });
});
