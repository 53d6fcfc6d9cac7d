import { getResumeTime } from './out-of-office-resume';

const week = { timezone: 'Europe/Berlin', workingDays: [1, 2, 3, 4, 5] };
const answered = new Date('2026-11-20T10:00:00Z');

describe('the campaign resumes with a lead that is out of office', () => {
  it.each([
    ['two working days after its first day back', '2026-11-23', '2026-11-24T23:00:00.000Z'],
    ['counted across a weekend', '2026-11-27', '2026-11-30T23:00:00.000Z'],
    ['counted across the change of the clocks', '2027-03-26', '2027-03-29T22:00:00.000Z'],
  ])('%s', (_what, day, at) => {
    expect(getResumeTime(answered, day, week).toISOString()).toBe(at);
  });

  it('seven days later when the reply names no day or a past one', () => {
    expect(getResumeTime(answered, null, week).toISOString()).toBe('2026-11-27T10:00:00.000Z');
    expect(getResumeTime(answered, '2026-01-02', week).toISOString()).toBe('2026-11-27T10:00:00.000Z');
  });
});
