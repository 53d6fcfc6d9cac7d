import { addDays } from '@platform/time';
import fc from 'fast-check';
import { getDefaultConfig } from '../config/warmup-defaults';
import { type Placement, PLACEMENTS } from '../schemas/warmup-mail.record';
import { type ReceivedMail, decideReply, getReplyRate } from './reply-decision';
import { MOST_IN_THREAD } from './volume';
import { getDraws } from './seeded-random';
import { getWorkingMoment, type WorkingHours } from './working-hours';

const RATES = getDefaultConfig('google').replyRates;

function mail(serial: number, placement: Placement, position = 0): ReceivedMail {
  const date = addDays('2026-11-02', serial % 30);
  return {
    mailId: `mail-${serial}`,
    position,
    placement,
    receiver: { mailboxId: `m${serial % 40}`, rates: RATES },
    date,
  };
}

function shareOf(placement: Placement, count = 20_000): number {
  const answered = Array.from({ length: count }, (_, serial) => decideReply(mail(serial, placement)));
  return (100 * answered.filter(({ answers }) => answers).length) / count;
}

describe('the decision to answer', () => {
  it.each([
    ['inbox', 37.5],
    ['promotions', 20],
    ['unknown', 37.5],
  ] as const)('for mail in %s is positive in %f %% of cases', (placement, expected) => {
    expect(Math.abs(shareOf(placement) - expected)).toBeLessThan(1);
  });

  it('is always positive for mail in spam', () => {
    expect(shareOf('spam', 500)).toBe(100);
  });

  it('is the same for the same mail', () => {
    const [one] = [mail(7, 'inbox')];
    expect(decideReply(one)).toEqual(decideReply({ ...one }));
  });

  it('is negative at the maximum length of a thread', () => {
    expect(decideReply(mail(1, 'spam', MOST_IN_THREAD - 2)).answers).toBe(true);
    expect(decideReply(mail(1, 'spam', MOST_IN_THREAD - 1))).toMatchObject({ answers: false, afterMs: null });
  });

  it('uses a rate that changes daily and stays within its range', () => {
    const ranges = fc
      .tuple(fc.integer({ min: 0, max: 100 }), fc.integer({ min: 0, max: 100 }))
      .map(([one, other]) => ({ min: Math.min(one, other), max: Math.max(one, other) }));
    fc.assert(
      fc.property(ranges, fc.integer({ min: 0, max: 3_000 }), fc.string(), ({ min, max }, day, mailboxId) => {
        const rates = { ...RATES, promotions: { min, max } };
        const rate = getReplyRate(addDays('2026-01-01', day), mailboxId, 'promotions', rates);
        expect(rate).toBeGreaterThanOrEqual(min);
        expect(rate).toBeLessThanOrEqual(max);
      }),
    );
    const days = Array.from({ length: 300 }, (_, day) => getReplyRate(addDays('2026-01-01', day), 'm', 'inbox', RATES));
    expect(Math.min(...days)).toBeLessThan(31);
    expect(Math.max(...days)).toBeGreaterThan(44);
  });
});

describe('the time of the answer', () => {
  it('follows the opening, within minutes to hours, rarely late', () => {
    fc.assert(
      fc.property(fc.string(), fc.constantFrom(...PLACEMENTS), (mailId, placement) => {
        const { opensAfterMs, answers, afterMs } = decideReply({ ...mail(1, placement), mailId });
        expect(opensAfterMs).toBeGreaterThanOrEqual(60_000);
        expect(opensAfterMs).toBeLessThanOrEqual(4 * 3_600_000);
        expect(afterMs !== null).toBe(answers);
        if (afterMs !== null) expect(afterMs).toBeGreaterThan(opensAfterMs);
        if (afterMs !== null) expect(afterMs).toBeLessThanOrEqual(12 * 3_600_000);
      }),
    );
    const delays = Array.from({ length: 999 }, (_, serial) => decideReply(mail(serial, 'spam')).afterMs!);
    const median = delays.toSorted((a, b) => a - b)[499]!;
    expect(median).toBeGreaterThan(30 * 60_000);
    expect(median).toBeLessThan(90 * 60_000);
  });

  it('is within the receiver’s hours, or soon after they next begin', () => {
    const hours: WorkingHours = {
      timezone: 'Europe/Berlin',
      windowStart: '08:00',
      windowEnd: '19:00',
      weekdaysOnly: true,
    };
    const at = (moment: string) => getWorkingMoment(new Date(moment), hours, getDraws('spec'))!;
    expect(at('2026-11-06T12:00:00Z')).toEqual(new Date('2026-11-06T12:00:00Z'));
    const monday = at('2026-11-06T20:00:00Z').getTime() - Date.parse('2026-11-09T07:00:00Z');
    expect(monday).toBeGreaterThanOrEqual(0);
    expect(monday).toBeLessThan(3 * 3_600_000);
    const short = { ...hours, windowEnd: '09:00' };
    for (let serial = 0; serial < 20; serial += 1) {
      const moment = getWorkingMoment(new Date('2026-11-06T20:00:00Z'), short, getDraws(serial))!;
      expect(moment.getTime()).toBeLessThan(Date.parse('2026-11-09T08:00:00Z'));
    }
  });
});
