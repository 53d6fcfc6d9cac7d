import { getDefaultConfig } from '../config/warmup-defaults';
import { type Slowdown } from '../schemas/warmup.record';
import { WARMUP_FIGURES } from '../schemas/warmup-day.record';
import { type DayFigures } from './day-figures';
import { getMetrics } from './metrics';
import { getReturnSlowdown, closeDay, DAYS_AT_CURRENT_VOLUME, getRampSlowdown, type Progress } from './progress';

const CONFIG = getDefaultConfig('google');
const NOW = new Date('2026-11-21T00:01:00Z');
const NONE = Object.fromEntries(WARMUP_FIGURES.map((figure) => [figure, 0])) as DayFigures;

function day(more: Partial<DayFigures> = {}): DayFigures {
  return { ...NONE, attempted: 20, sent: 20, inbox: 20, ...more };
}

function progress(more: Partial<Progress> = {}): Progress {
  const start = { status: 'in_progress', currentDay: 5, currentVolume: 14, daysAtVolume: 0 } as const;
  return { ...start, slowdown: null, completedAt: null, suspension: null, ...more };
}

function close(before: Progress, days: readonly DayFigures[]): Progress {
  const closed = days.at(-1)!;
  return closeDay(before, { config: CONFIG, dailySendLimit: 100, closed, evaluated: days, now: NOW });
}

const slowed = (more: Partial<Slowdown> = {}): Slowdown => ({ reason: 'spam', ceiling: 7, days: 0, ...more });

describe('closing a day', () => {
  it('with mail advances to the next day of the run and its volume', () => {
    expect(close(progress(), [day()])).toEqual(progress({ currentDay: 6, currentVolume: 15 }));
  });

  it('without sent mail does not advance, whatever was received', () => {
    expect(close(progress(), [day(), { ...NONE, spam: 90, received: 4 }])).toEqual(progress());
  });

  it('counts consecutive days at the target, and completes the run after fourteen', () => {
    const full = progress({ currentDay: 20, currentVolume: 25, daysAtVolume: DAYS_AT_CURRENT_VOLUME - 2 });
    const before = close(full, [day()]);
    expect(before).toMatchObject({
      status: 'in_progress',
      daysAtVolume: DAYS_AT_CURRENT_VOLUME - 1,
      completedAt: null,
    });
    const completed = close(before, [day()]);
    expect(completed).toMatchObject({ status: 'completed', completedAt: NOW, currentVolume: 25 });
    expect(close(completed, [day()])).toMatchObject({ status: 'completed', completedAt: NOW, currentVolume: 25 });
    const early = new Date('2026-10-01T00:00:00Z');
    expect(close({ ...completed, completedAt: early }, [day()]).completedAt).toEqual(early);
  });

  it('restarts the count after a day with much spam placement', () => {
    const full = progress({ currentDay: 20, currentVolume: 25, daysAtVolume: DAYS_AT_CURRENT_VOLUME - 1 });
    const after = close(full, [day({ attempted: 40, sent: 40, spam: 20, inbox: 20 })]);
    expect(after).toMatchObject({ status: 'in_progress', daysAtVolume: 0, slowdown: { reason: 'spam' } });
  });

  it('uses the volume that the share allows as the target', () => {
    const full = progress({ currentDay: 20, currentVolume: 10, daysAtVolume: 3 });
    const closing = { config: CONFIG, dailySendLimit: 30, closed: day(), evaluated: [day()], now: NOW };
    expect(closeDay(full, closing)).toMatchObject({ currentVolume: 10, daysAtVolume: 4 });
    expect(closeDay(progress({ currentVolume: 9 }), closing).daysAtVolume).toBe(0);
  });

  it.each([
    [20, 100, 'a fifth', 15, null],
    [21, 100, 'more than a fifth', 7, 'spam'],
    [7, 29, 'of too few', 15, null],
    [7, 30, 'of enough', 7, 'spam'],
  ])('with %i of %i in spam, %s, sets a volume of %i', (spam, found, _what, volume, reason) => {
    const after = close(progress(), [day({ spam, inbox: found - spam })]);
    expect({ volume: after.currentVolume, reason: after.slowdown?.reason ?? null }).toEqual({ volume, reason });
    expect(after.daysAtVolume).toBe(0);
  });

  it('evaluates only the last three days with mail', () => {
    const bad = day({ spam: 20, inbox: 0 });
    expect(close(progress(), [bad, day(), NONE, day(), day()]).slowdown).toBeNull();
    expect(close(progress(), [bad, day(), day()]).slowdown).toEqual({ reason: 'spam', ceiling: 7, days: 0 });
    expect(close(progress(), [bad, NONE, day(), day()]).slowdown).toMatchObject({ reason: 'spam' });
  });

  it('halves a lowered volume again only after three days', () => {
    const bad = day({ spam: 6, inbox: 14 });
    let after = close(progress({ currentVolume: 20 }), [bad, bad, bad]);
    const seen = [after.currentVolume];
    for (let round = 0; round < 6; round += 1) {
      after = close(after, [bad, bad, bad]);
      seen.push(after.currentVolume);
    }
    expect(seen).toEqual([10, 10, 10, 5, 5, 5, 2]);
    expect(after.status).toBe('in_progress');
  });

  it('raises a lowered volume by the increase as spam placement falls, and ends the slowdown at the usual volume', () => {
    let after = progress({ currentDay: 5, currentVolume: 7, slowdown: slowed() });
    const seen: number[] = [];
    for (let round = 0; round < 20; round += 1) {
      after = close(after, [day()]);
      seen.push(after.currentVolume);
    }
    expect(seen.slice(0, 4)).toEqual([8, 9, 10, 11]);
    expect(seen.at(-1)).toBe(25);
    expect(after.slowdown).toBeNull();
  });

  it('suspends the run when two fifths are still in spam three days after the slowdown, not before', () => {
    const bad = day({ spam: 9, inbox: 11 });
    const [early, late] = [1, 2].map((days) => close(progress({ slowdown: slowed({ days }) }), [bad, bad, bad]));
    expect(early).toMatchObject({ status: 'in_progress', suspension: null });
    expect(late).toMatchObject({
      status: 'suspended',
      suspension: {
        code: 'spam_placement',
        message: '27 of 60 recent warmup mails were found in spam, although the volume had been lowered',
      },
    });
    const fewer = day({ spam: 8, inbox: 12 });
    expect(close(progress({ slowdown: slowed({ days: 2 }) }), [fewer, fewer, fewer]).status).toBe('in_progress');
    const settings = progress({ slowdown: slowed({ reason: 'settings', days: 9 }) });
    expect(close(settings, [bad, bad, bad])).toMatchObject({ status: 'in_progress', slowdown: { reason: 'spam' } });
  });

  it.each([
    [1, 0, 20, 'in_progress'],
    [2, 0, 20, 'suspended'],
    [1, 1, 20, 'suspended'],
    [2, 1, 60, 'in_progress'],
    [2, 2, 60, 'suspended'],
    [19, 0, 19, 'in_progress'],
  ])('with %i bounced and %i blocked of %i leads to %s', (bounced, blocked, attempted, status) => {
    const after = close(progress(), [day({ attempted, bounced, blocked })]);
    expect(after.status).toBe(status);
    expect(after.suspension?.code).toBe(status === 'suspended' ? 'bounces' : undefined);
  });
});

describe('a change during a run', () => {
  const raised = { ...CONFIG, startingVolume: 30, targetVolume: 60 };

  it('raises the volume by at most one daily increase per day', () => {
    const slowdown = getRampSlowdown(progress(), { config: raised, dailySendLimit: 500 });
    expect(slowdown).toEqual({ reason: 'settings', ceiling: 15, days: 0 });
    const closing = { config: raised, dailySendLimit: 500, closed: day(), evaluated: [day()], now: NOW };
    expect(closeDay(progress({ currentVolume: 15, slowdown }), closing).currentVolume).toBe(16);
  });

  it('that lowers the volume or raises it by one increase needs no slowdown', () => {
    expect(getRampSlowdown(progress(), { config: { ...CONFIG, targetVolume: 3 }, dailySendLimit: 100 })).toBeNull();
    const one = { config: { ...CONFIG, startingVolume: 11 }, dailySendLimit: 100 };
    expect(getRampSlowdown(progress(), one)).toBeNull();
    expect(getRampSlowdown(progress(), { config: raised, dailySendLimit: 30 })).toBeNull();
  });

  it('keeps a slowdown for spam', () => {
    const before = progress({ currentVolume: 7, slowdown: slowed() });
    expect(getRampSlowdown(before, { config: raised, dailySendLimit: 500 })).toEqual(slowed());
  });

  it('keeps a slowdown for spam when the limit falls and rises again', () => {
    const before = progress({ currentVolume: 2, slowdown: slowed({ days: 2 }) });
    const slowdown = getRampSlowdown(before, { config: CONFIG, dailySendLimit: 500 });
    expect(slowdown).toEqual(slowed({ ceiling: 3, days: 2 }));
  });

  it('after a suspension resumes at half the volume', () => {
    expect(getReturnSlowdown(progress({ currentVolume: 15 }))).toEqual({ reason: 'suspension', ceiling: 7, days: 0 });
    expect(getReturnSlowdown(progress({ currentVolume: 1 })).ceiling).toBe(1);
  });
});

describe('metrics', () => {
  it('are totals of the run, and rates from 0 to 1 of its last thirty days with mail', () => {
    const early = day({ sent: 100, attempted: 100, inbox: 0, spam: 100, repliesReceived: 40 });
    const usual = day({
      inbox: 12,
      promotions: 4,
      spam: 4,
      opened: 10,
      repliesReceived: 8,
      bounced: 1,
      blocked: 2,
      deferred: 5,
    });
    const days = [early, ...Array.from({ length: 30 }, () => usual), NONE];
    // Days without mail do not count towards the thirty.
    expect(getMetrics([early, ...days.slice(2)], NOW).spamRate).toBeGreaterThan(0.2);
    expect(getMetrics(days, NOW)).toEqual({
      totalEmailsSent: 700,
      totalRepliesReceived: 280,
      inboxRate: 0.6,
      promotionsRate: 0.2,
      spamRate: 0.2,
      openRate: 0.5,
      replyRate: 0.4,
      bounceRate: 0.05,
      blockRate: 0.1,
      deferralRate: 0.25,
      lastCalculatedAt: NOW,
    });
  });

  it('are 0 without data', () => {
    const { lastCalculatedAt, ...figures } = getMetrics([], NOW);
    expect(lastCalculatedAt).toBe(NOW);
    expect(new Set(Object.values(figures))).toEqual(new Set([0]));
  });
});
