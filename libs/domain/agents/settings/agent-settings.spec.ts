import { type AgentSettingsRequest } from '../dto/agent-requests.dto';
import { type AgentSettings, DEFAULT_SETTINGS, mergeSettings } from './agent-settings';

const HOURS = { timezone: 'Europe/Berlin', startTime: '09:00', endTime: '17:00', workingDays: [5, 1, 3] };

const fresh = (input: AgentSettingsRequest): AgentSettings => mergeSettings(DEFAULT_SETTINGS, input);

describe('settings of an agent', () => {
  it('default to an agent that sends nothing without a request', () => {
    expect(fresh({})).toEqual(DEFAULT_SETTINGS);
    expect(DEFAULT_SETTINGS).toMatchObject({
      autonomousMode: { enabled: false, approval: 'required' },
      followupSettings: { enabled: false },
    });
  });

  it('keep omitted values and clear null values', () => {
    const before = fresh({
      persona: { tone: 'dry', role: 'Seller' },
      autonomousMode: { enabled: true, dailyLimit: 5, workingHours: HOURS },
      followupSettings: { enabled: true, delayDays: 7 },
    });
    const after = mergeSettings(before, {
      persona: { tone: null },
      autonomousMode: { dailyLimit: 6, workingHours: null },
      followupSettings: null,
    });
    expect(after.persona).toMatchObject({ tone: '', role: 'Seller' });
    expect(after.autonomousMode).toMatchObject({ enabled: true, dailyLimit: 6, workingHours: null });
    expect(after.followupSettings).toEqual(DEFAULT_SETTINGS.followupSettings);
    expect(mergeSettings(after, { persona: null }).persona).toEqual(DEFAULT_SETTINGS.persona);
  });

  it('sort working days and normalize stop words', () => {
    const { autonomousMode } = fresh({ autonomousMode: { workingHours: HOURS, stopWords: [' Refund', 'refund'] } });
    expect(autonomousMode.workingHours?.workingDays).toEqual([1, 3, 5]);
    expect(autonomousMode.stopWords).toEqual(['refund']);
  });

  it('refuse working hours of zero length and accept hours over midnight', () => {
    const at = (startTime: string, endTime: string) =>
      fresh({ autonomousMode: { workingHours: { ...HOURS, startTime, endTime } } });
    expect(() => at('09:00', '09:00')).toThrow('autonomousMode.workingHours.endTime must differ from startTime');
    expect(at('22:00', '06:00').autonomousMode.workingHours).toMatchObject({ startTime: '22:00', endTime: '06:00' });
    expect(at('00:00', '23:59').autonomousMode.workingHours).toMatchObject({ endTime: '23:59' });
  });
});

describe('the website of an agent', () => {
  const named = ({ companyInfo, website }: AgentSettings) => [companyInfo.domain, website];

  it.each<[AgentSettingsRequest, [string, string | null]]>([
    [{}, ['', null]],
    [{ companyUrl: 'https://www.acme.example/de' }, ['www.acme.example', 'www.acme.example']],
    [{ companyInfo: { domain: 'ACME.example' } }, ['acme.example', 'acme.example']],
    [
      { companyInfo: { domain: 'acme.example' }, companyUrl: 'shop.acme.example' },
      ['acme.example', 'shop.acme.example'],
    ],
    [{ companyInfo: { domain: '' }, companyUrl: null }, ['', null]],
  ])('of %j is %j', (input, expected) => {
    expect(named(fresh(input))).toEqual(expected);
  });

  it.each<[AgentSettingsRequest, [string, string | null]]>([
    [{ companyInfo: { name: 'Acme' } }, ['acme.example', 'shop.acme.example']],
    [{ companyInfo: { domain: 'acme.example' } }, ['acme.example', 'shop.acme.example']],
    [{ companyInfo: { domain: 'other.example' } }, ['other.example', 'other.example']],
    [{ companyInfo: { domain: null } }, ['', null]],
    [{ companyUrl: null }, ['acme.example', null]],
    [{ companyUrl: 'new.example' }, ['acme.example', 'new.example']],
    [{ companyInfo: null }, ['', null]],
  ])('changed by %j is %j', (input, expected) => {
    const before = fresh({ companyInfo: { domain: 'acme.example' }, companyUrl: 'shop.acme.example' });
    expect(named(mergeSettings(before, input))).toEqual(expected);
  });

  it.each([
    ['companyUrl', { companyUrl: 'http://127.0.0.1/' }],
    ['companyInfo.domain', { companyInfo: { domain: 'no website' } }],
  ])('is refused with the name of its field: %s', (field, input) => {
    expect(() => fresh(input)).toThrow(`${field} must be a website`);
  });
});
