import { MAX_MESSAGES } from '../../texts/thread-script';
import { type DayUsage, decideDispatch, type DueMail, MOST_LATE_MS, OLDEST_ANSWER_MS } from './dispatch-decision';

/** A Monday, 10:00 in Berlin. */
const NOW = new Date('2026-11-23T09:00:00.000Z');
const HOURS = { timezone: 'Europe/Berlin', windowStart: '08:00', windowEnd: '19:00', weekdaysOnly: true };

const ago = (ms: number) => new Date(NOW.getTime() - ms);
const opening = (more: Partial<DueMail> = {}): DueMail => {
  return { id: 'm1', position: 0, day: '2026-11-23', plannedFor: NOW, plannedAt: ago(3_600_000), ...more };
};
const answer = (more: Partial<DueMail> = {}) => opening({ position: 1, ...more });
const standing = (more: Partial<DayUsage> = {}): DayUsage => {
  return { isSending: true, hours: HOURS, share: 10, attempted: 3, openings: 2, openingsLeft: 4, ...more };
};

describe('a due opening', () => {
  it.each([
    ['now', {}, {}, NOW],
    ['when it is slightly late', { plannedFor: ago(MOST_LATE_MS) }, {}, NOW],
    ['as the last mail of the share', {}, { attempted: 9 }, NOW],
    ['in the last minute of the hours', {}, {}, new Date('2026-11-23T17:59:59.999Z')],
  ] as const)('is sent %s', (_when, mail, day, now) => {
    const plannedFor = now === NOW ? {} : { plannedFor: now };
    expect(decideDispatch(opening({ ...plannedFor, ...mail }), standing(day), now)).toEqual({ kind: 'send' });
  });

  it.each([
    ['hours late', { plannedFor: ago(MOST_LATE_MS + 1) }, {}, NOW, 'in time'],
    ['planned for another day', { day: '2026-11-22' }, {}, NOW, 'day ended'],
    ['still unsent when the hours end', {}, {}, new Date('2026-11-23T18:00:00.000Z'), 'day ended'],
    ['beyond the share', {}, { attempted: 10 }, NOW, 'share'],
    ['part of a paused warmup', {}, { isSending: false }, NOW, 'no longer running'],
  ] as const)('fails when it is %s', (_what, mail, day, now, reason) => {
    expect(decideDispatch(opening(mail), standing(day), now)).toEqual({
      kind: 'giveUp',
      reason: expect.stringContaining(reason),
    });
  });
});

describe('a due answer', () => {
  it('is sent within the hours while the share covers it besides the openings of the day', () => {
    expect(decideDispatch(answer(), standing(), NOW)).toEqual({ kind: 'send' });
    // 2 openings sent, 4 openings planned and 3 answers sent: one of 10 remains.
    expect(decideDispatch(answer(), standing({ attempted: 5 }), NOW)).toEqual({ kind: 'send' });
  });

  it.each([
    ['the share is used up', standing({ attempted: 6 }), NOW, '2026-11-24'],
    ['it is evening', standing(), new Date('2026-11-23T20:00:00.000Z'), '2026-11-24'],
    ['it is night', standing(), new Date('2026-11-23T03:00:00.000Z'), '2026-11-23'],
    ['it is Friday evening', standing(), new Date('2026-11-27T20:00:00.000Z'), '2026-11-30'],
  ])('waits for the next hours when %s', (_why, day, now, until) => {
    const decided = decideDispatch(answer({ plannedAt: now }), day, now);
    expect(decided).toMatchObject({ kind: 'putOff' });
    // Berlin is one hour ahead of UTC: the hours begin at 07:00Z.
    expect('until' in decided && decided.until.toISOString()).toMatch(new RegExp(`^${until}T(07|08|09):`));
  });

  it('waits for an hour while the warmup is paused', () => {
    const until = new Date(NOW.getTime() + 3_600_000);
    expect(decideDispatch(answer(), standing({ isSending: false }), NOW)).toEqual({ kind: 'putOff', until });
  });

  it.each([
    ['it is too old', { plannedAt: ago(OLDEST_ANSWER_MS + 1) }, {}, 'in time'],
    ['it is too old while paused', { plannedAt: ago(OLDEST_ANSWER_MS + 1) }, { isSending: false }, 'in time'],
    ['the thread has ended', { position: MAX_MESSAGES }, {}, 'A thread has'],
  ] as const)('fails when %s', (_why, mail, day, reason) => {
    expect(decideDispatch(answer(mail), standing(day), NOW)).toEqual({
      kind: 'giveUp',
      reason: expect.stringContaining(reason),
    });
  });
});
