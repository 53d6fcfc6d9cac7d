import { AppError } from '@platform/errors';
import {
  toChangedSettings,
  getReportProgress,
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
  it('gets a report on the workspace each Monday at eight by default', () => {
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

  it('keeps the given parts of a schedule, and gets defaults for the rest', () => {
    const { schedule } = toNewSettings({ ...ada, schedule: { frequency: 'daily', timezone: 'Europe/Berlin' } });
    expect(schedule).toEqual({
      enabled: true,
      frequency: 'daily',
      dayOfWeek: 1,
      timeOfDay: '08:00',
      timezone: 'Europe/Berlin',
    });
  });

  it('gets each campaign once, however its id is written', () => {
    const campaignIds = [ONE.toUpperCase(), OTHER, ONE];
    expect(toNewSettings({ ...ada, reportType: 'campaign', campaignIds }).campaignIds).toEqual([ONE, OTHER]);
  });

  it.each([
    ['a report on campaigns without campaigns', { ...ada, reportType: 'campaign' as const }],
    ['a report on the workspace that names campaigns', { ...ada, campaignIds: [ONE] }],
  ])('is refused for %s', (_why, input) => {
    expect(refusalOf(() => toNewSettings(input))).toMatchObject([{ field: 'campaignIds' }]);
  });
});

describe('a changed recipient', () => {
  it('keeps omitted fields, also those of its schedule', () => {
    const before = stored({ company: 'Acme' });
    const after = toChangedSettings(before, { role: 'CEO', schedule: { timeOfDay: '18:30' } });
    expect(after).toEqual({ ...before, role: 'CEO', schedule: { ...before.schedule, timeOfDay: '18:30' } });
  });

  it('loses its campaigns when it gets reports on the workspace', () => {
    const before = stored({ reportType: 'campaign', campaignIds: [ONE] });
    expect(toChangedSettings(before, { reportType: 'workspace' })).toMatchObject({ campaignIds: [] });
    expect(refusalOf(() => toChangedSettings(before, { reportType: 'workspace', campaignIds: [ONE] }))).not.toBeNull();
    expect(refusalOf(() => toChangedSettings(before, { campaignIds: [] }))).not.toBeNull();
  });

  it('whose campaigns were all deleted can be deactivated and renamed, but not saved with an empty list', () => {
    const before = stored({ reportType: 'campaign', campaignIds: [] });
    expect(toChangedSettings(before, { active: false, name: 'Grace' })).toMatchObject({ active: false, name: 'Grace' });
    for (const input of [{ campaignIds: [] }, { reportType: 'campaign' as const }]) {
      expect(refusalOf(() => toChangedSettings(before, input))).toMatchObject([{ field: 'campaignIds' }]);
    }
  });

  it.each([
    ['name', { name: 'Grace' }, false],
    ['address', { email: 'grace@example.com' }, false],
    ['active flag', { active: false }, true],
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

  it('does not exist for an inactive recipient, or without a schedule', () => {
    expect(at(stored({ active: false }))).toBeNull();
    expect(at(stored({ schedule: { ...stored().schedule, enabled: false } }))).toBeNull();
  });

  it('is at the next scheduled time', () => {
    expect(at(stored())).toBe('2026-11-30T08:00:00.000Z');
  });

  it('does not repeat the period of the last report if its time moves to later on the same day', () => {
    const later = stored({ schedule: { ...stored().schedule, timeOfDay: '18:00' } });
    expect(at(later)).toBe('2026-11-23T18:00:00.000Z');
    expect(at(later, 'weekly 2026-11-16 2026-11-22')).toBe('2026-11-30T18:00:00.000Z');
    expect(at(later, 'weekly 2026-11-09 2026-11-15')).toBe('2026-11-23T18:00:00.000Z');
  });

  it.each([
    ['an earlier time', { timeOfDay: '07:00' }, '2026-11-23T07:00:00.000Z'],
    ['a later time that has passed', { timeOfDay: '11:00' }, '2026-11-23T11:00:00.000Z'],
    ['a later time', { timeOfDay: '13:00' }, '2026-11-23T13:00:00.000Z'],
    ['a zone ahead of the former one', { timezone: 'Asia/Tokyo' }, '2026-11-22T23:00:00.000Z'],
    ['a zone behind the former one', { timezone: 'America/Los_Angeles' }, '2026-11-23T16:00:00.000Z'],
    ['another weekday', { dayOfWeek: 3 }, '2026-11-25T08:00:00.000Z'],
    ['another frequency', { frequency: 'monthly' }, '2026-12-07T08:00:00.000Z'],
  ] as const)('that is due is not lost by %s', (_what, change, expected) => {
    expect(at(scheduled(change), null, 'weekly 2026-11-16 2026-11-22')).toBe(expected);
  });

  it('stays due until it is created', () => {
    const due = new Date('2026-11-23T08:00:00Z');
    const owed = (at: Date | null) => getReportProgress(stored().schedule, 'before', at, MONDAY_NOON);
    expect(owed(due)).toEqual({ begun: 'before', owed: 'weekly 2026-11-16 2026-11-22' });
    expect([owed(null).owed, owed(new Date('2026-11-30T08:00:00Z')).owed]).toEqual([null, null]);
  });
});
