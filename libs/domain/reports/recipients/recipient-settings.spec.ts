import { AppError } from '@platform/errors';
import {
  toChangedSettings,
  getProgress,
  changesSchedule,
  toNewSettings,
  getNextReportAt,
  type RecipientSettings,
} from './recipient-settings';

const ONE = '6740a1b2c3d4e5f60718293a';
const OTHER = '6740a1b2c3d4e5f60718293b';
const MONDAY_NOON = new Date('2026-11-23T12:00:00Z');
const ada = { name: 'Ada', email: 'ada@example.com' };
const stored = (more: Partial<RecipientSettings> = {}): RecipientSettings => ({ ...toNewSettings(ada), ...more });

function refusalOf(work: () => unknown): unknown {
  try {
    work();
  } catch (error) {
    return error instanceof AppError ? error.details : error;
  }
  return null;
}

describe('a new recipient', () => {
  it('is told of the workspace each Monday at eight, unless somebody says otherwise', () => {
    expect(toNewSettings(ada)).toEqual({
      ...ada,
      company: '',
      role: '',
      reportType: 'workspace',
      campaignIds: [],
      active: true,
      schedule: { enabled: true, frequency: 'weekly', dayOfWeek: 1, timeOfDay: '08:00', timezone: 'UTC' },
    });
  });

  it('keeps what is given of a schedule, and the default of the rest', () => {
    const { schedule } = toNewSettings({ ...ada, schedule: { frequency: 'daily', timezone: 'Europe/Berlin' } });
    expect(schedule).toEqual({
      enabled: true,
      frequency: 'daily',
      dayOfWeek: 1,
      timeOfDay: '08:00',
      timezone: 'Europe/Berlin',
    });
  });

  it('is told of each campaign once, however its id is written', () => {
    const campaignIds = [ONE.toUpperCase(), OTHER, ONE];
    expect(toNewSettings({ ...ada, reportType: 'campaign', campaignIds }).campaignIds).toEqual([ONE, OTHER]);
  });

  it.each([
    ['a report on campaigns that names none', { ...ada, reportType: 'campaign' as const }],
    ['a report on the workspace that names campaigns', { ...ada, campaignIds: [ONE] }],
  ])('is refused for %s', (_why, input) => {
    expect(refusalOf(() => toNewSettings(input))).toMatchObject([{ field: 'campaignIds' }]);
  });
});

describe('a changed recipient', () => {
  it('keeps what is left out, also of its schedule', () => {
    const before = stored({ company: 'Acme' });
    const after = toChangedSettings(before, { role: 'CEO', schedule: { timeOfDay: '18:30' } });
    expect(after).toEqual({ ...before, role: 'CEO', schedule: { ...before.schedule, timeOfDay: '18:30' } });
  });

  it('drops its campaigns when it is told of the workspace', () => {
    const before = stored({ reportType: 'campaign', campaignIds: [ONE] });
    expect(toChangedSettings(before, { reportType: 'workspace' })).toMatchObject({ campaignIds: [] });
    expect(refusalOf(() => toChangedSettings(before, { reportType: 'workspace', campaignIds: [ONE] }))).not.toBeNull();
    expect(refusalOf(() => toChangedSettings(before, { campaignIds: [] }))).not.toBeNull();
  });

  it('whose campaigns were all deleted can be switched off and renamed, but not be told of none', () => {
    const before = stored({ reportType: 'campaign', campaignIds: [] });
    expect(toChangedSettings(before, { active: false, name: 'Grace' })).toMatchObject({ active: false, name: 'Grace' });
    for (const input of [{ campaignIds: [] }, { reportType: 'campaign' as const }]) {
      expect(refusalOf(() => toChangedSettings(before, input))).toMatchObject([{ field: 'campaignIds' }]);
    }
  });

  it.each([
    ['name', { name: 'Grace' }, false],
    ['address', { email: 'grace@example.com' }, false],
    ['switch', { active: false }, true],
    ['time', { schedule: { timeOfDay: '09:00' } }, true],
    ['zone', { schedule: { timezone: 'Asia/Tokyo' } }, true],
  ] as const)('whose %s differs has its next report moved: %j %s', (_what, input, moves) => {
    expect(changesSchedule(stored(), toChangedSettings(stored(), input))).toBe(moves);
  });
});

describe('the next report of a recipient', () => {
  const at = (settings: RecipientSettings, begun: string | null = null, owed: string | null = null) =>
    getNextReportAt(settings, { begun, owed }, MONDAY_NOON)?.toISOString() ?? null;
  const scheduled = (more: Partial<RecipientSettings['schedule']>) =>
    stored({ schedule: { ...stored().schedule, ...more } });

  it('is none for who is switched off, and for who wants none by schedule', () => {
    expect(at(stored({ active: false }))).toBeNull();
    expect(at(stored({ schedule: { ...stored().schedule, enabled: false } }))).toBeNull();
  });

  it('is the next one that is due', () => {
    expect(at(stored())).toBe('2026-11-30T08:00:00.000Z');
  });

  it('is not about what the last one was about, when its time moves to later on the same day', () => {
    const later = stored({ schedule: { ...stored().schedule, timeOfDay: '18:00' } });
    expect(at(later)).toBe('2026-11-23T18:00:00.000Z');
    expect(at(later, 'weekly 2026-11-16 2026-11-22')).toBe('2026-11-30T18:00:00.000Z');
    expect(at(later, 'weekly 2026-11-09 2026-11-15')).toBe('2026-11-23T18:00:00.000Z');
  });

  it.each([
    ['an earlier time', { timeOfDay: '07:00' }, '2026-11-23T07:00:00.000Z'],
    ['a later one that has passed', { timeOfDay: '11:00' }, '2026-11-23T11:00:00.000Z'],
    ['a later one', { timeOfDay: '13:00' }, '2026-11-23T13:00:00.000Z'],
    ['a zone that is ahead', { timezone: 'Asia/Tokyo' }, '2026-11-22T23:00:00.000Z'],
    ['a zone that is behind', { timezone: 'America/Los_Angeles' }, '2026-11-23T16:00:00.000Z'],
    ['another weekday', { dayOfWeek: 3 }, '2026-11-25T08:00:00.000Z'],
    ['another frequency', { frequency: 'monthly' }, '2026-12-07T08:00:00.000Z'],
  ] as const)('that is owed is not lost by %s', (_what, change, expected) => {
    expect(at(scheduled(change), null, 'weekly 2026-11-16 2026-11-22')).toBe(expected);
  });

  it('is owed once it is due and nobody has begun it', () => {
    const due = new Date('2026-11-23T08:00:00Z');
    const owed = (at: Date | null) => getProgress(stored().schedule, 'before', at, MONDAY_NOON);
    expect(owed(due)).toEqual({ begun: 'before', owed: 'weekly 2026-11-16 2026-11-22' });
    expect([owed(null).owed, owed(new Date('2026-11-30T08:00:00Z')).owed]).toEqual([null, null]);
  });
});
