import { countOn, counted, returnToken, takeToken } from './tokens';
import { at, mailboxFacts, NOW } from './testing/facts';

describe('a day count', () => {
  it('is 0 on any other day', () => {
    const count = { day: '2026-11-20', used: 3 };
    expect([countOn(count, '2026-11-20'), countOn(count, '2026-11-19'), countOn(count, '2026-11-21')]).toEqual([
      3, 0, 0,
    ]);
    expect(counted(count, '2026-11-20')).toEqual({ day: '2026-11-20', used: 4 });
    expect(counted(count, '2026-11-21')).toEqual({ day: '2026-11-21', used: 1 });
  });
});

describe('a token', () => {
  it('counts in its five minutes and its day', () => {
    const first = takeToken(mailboxFacts(), at('09:04:59.999'));
    expect(first).toEqual({
      lastSentAt: at('09:04:59.999'),
      sentBefore: null,
      day: '2026-11-20',
      dayUsed: 1,
      dayWarmup: 0,
      slots: [{ at: at('09:00:00'), used: 1 }],
      recent: [],
    });
    const second = takeToken(mailboxFacts(first), at('09:04:59.999'));
    expect(second).toMatchObject({ dayUsed: 2, slots: [{ at: at('09:00:00'), used: 2 }] });
    const third = takeToken(mailboxFacts(second), at('09:05:00'));
    expect(third.slots).toEqual([
      { at: at('09:00:00'), used: 2 },
      { at: at('09:05:00'), used: 1 },
    ]);
  });

  it('starts a new day in the mailbox’s zone', () => {
    const mailbox = mailboxFacts({ day: '2026-11-20', dayUsed: 7 });
    expect(takeToken(mailbox, at('22:59:59'))).toMatchObject({ day: '2026-11-20', dayUsed: 8 });
    expect(takeToken(mailbox, at('23:00:00'))).toMatchObject({ day: '2026-11-21', dayUsed: 1 });
  });

  it('drops what no longer counts', () => {
    const slots = [
      { at: at('08:55:00', -1), used: 4 },
      { at: at('09:00:00', -1), used: 5 },
    ];
    const recent = [at('08:59:00'), at('08:59:00.001')];
    const taken = takeToken(mailboxFacts({ slots, recent, perMinuteLimit: 30 }), NOW);
    expect(taken.slots).toEqual([slots[1], { at: NOW, used: 1 }]);
    expect(taken.recent).toEqual([recent[1], NOW]);
  });

  it('that is returned no longer counts, and neither does its gap', () => {
    const before = mailboxFacts({
      perMinuteLimit: 30,
      lastSentAt: at('08:58:00'),
      day: '2026-11-20',
      dayUsed: 2,
      dayWarmup: 1,
      slots: [{ at: NOW, used: 1 }],
      recent: [at('08:59:50')],
    });
    const taken = takeToken(before, NOW);
    const { day, dayUsed, dayWarmup, slots, recent, lastSentAt } = before;
    const returned = returnToken({ ...before, ...taken }, NOW);
    expect(returned).toEqual({ day, dayUsed, dayWarmup, slots, recent, lastSentAt, sentBefore: lastSentAt });
    const again = takeToken({ ...before, ...returned }, at('09:00:40'));
    expect(returnToken({ ...before, ...again }, at('09:00:40'))).toEqual(returned);
  });

  it('that is returned after a later one leaves the later one’s gap', () => {
    const taken = takeToken(mailboxFacts(takeToken(mailboxFacts(), NOW)), at('09:10:00'));
    expect(returnToken(mailboxFacts(taken), NOW)).toMatchObject({ lastSentAt: at('09:10:00') });
  });

  it('that is returned on the next day does not change the count of that day', () => {
    const taken = takeToken(mailboxFacts(), at('22:59:00'));
    const next = takeToken(mailboxFacts(taken), at('23:01:00'));
    expect(returnToken(mailboxFacts(next), at('22:59:00'))).toMatchObject({
      day: '2026-11-21',
      dayUsed: 1,
      slots: [{ at: at('23:00:00'), used: 1 }],
    });
  });

  it('of warmup is also counted separately, on its own day', () => {
    const isWarmup = { isWarmup: true };
    const before = mailboxFacts({ day: '2026-11-20', dayUsed: 4, dayWarmup: 3 });
    expect(takeToken(before, at('22:59:59'), isWarmup)).toMatchObject({ dayUsed: 5, dayWarmup: 4 });
    expect(takeToken(before, at('22:59:59'))).toMatchObject({ dayUsed: 5, dayWarmup: 3 });
    const next = mailboxFacts(takeToken(before, at('23:00:00'), isWarmup));
    expect(next).toMatchObject({ day: '2026-11-21', dayUsed: 1, dayWarmup: 1 });
    expect(returnToken(next, at('22:59:59'), isWarmup)).toMatchObject({ dayUsed: 1, dayWarmup: 1 });
    expect(returnToken(next, at('23:00:00'), isWarmup)).toMatchObject({ dayUsed: 0, dayWarmup: 0 });
    expect(returnToken(next, at('23:00:00'))).toMatchObject({ dayUsed: 0, dayWarmup: 1 });
  });

  it('that is returned twice does not change the count again', () => {
    const once = returnToken(mailboxFacts(takeToken(mailboxFacts(), NOW)), NOW);
    expect(returnToken(mailboxFacts(once), NOW)).toMatchObject({ dayUsed: 0, slots: [] });
  });
});
