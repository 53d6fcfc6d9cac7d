import { type UpdateWebhookRequest } from './dto/webhook-requests.dto';
import { type WebhookRecord } from './schemas/webhook.record';
import { getWebhookChanges } from './webhook-changes';

const LONG_AGO = new Date('2026-11-01T00:00:00Z');
const NOW = new Date('2026-11-21T12:00:00Z');

const active = {
  name: 'CRM',
  url: 'https://crm.example.com/',
  events: ['email.sent', 'email.replied'],
  retryAttempts: 5,
  timeoutMs: 10_000,
  status: 'active',
  disabledAt: null,
  disabledReason: null,
  periods: [{ from: LONG_AGO, events: ['email.sent', 'email.replied'] }],
  failingSince: LONG_AGO,
  cooldownUntil: NOW,
} as unknown as WebhookRecord;
const inactive = {
  ...(active as object),
  status: 'inactive',
  disabledAt: LONG_AGO,
  disabledReason: 'failing',
  periods: [{ from: LONG_AGO, events: [] }],
} as unknown as WebhookRecord;

const by = (before: WebhookRecord, input: UpdateWebhookRequest) => getWebhookChanges(before, input, NOW);
const fromNow = (events: string[]) => ({ from: NOW, events });
const noTrouble = { failingSince: null, cooldownUntil: null };

describe('the changes of a webhook update', () => {
  it.each([
    ['no field is given', {}],
    [
      'the given values are the current ones',
      { name: 'CRM', status: 'active', events: ['email.sent', 'email.replied'] },
    ],
  ] as [string, UpdateWebhookRequest][])('are empty when %s', (_when, input) => {
    expect(by(active, input)).toEqual({});
  });

  it('are the given fields alone when no other field depends on them', () => {
    const input = { name: 'ERP', retryAttempts: 0, timeoutMs: 1_000 };
    expect(by(active, input)).toEqual(input);
    expect(by(inactive, input)).toEqual(input);
  });

  it('include a new subscription period for changed events', () => {
    expect(by(active, { events: ['email.bounced'] })).toEqual({
      events: ['email.bounced'],
      periods: [...active.periods, fromNow(['email.bounced'])],
    });
  });

  it('include no new period while the webhook is inactive', () => {
    expect(by(inactive, { events: ['email.bounced'] })).toEqual({ events: ['email.bounced'] });
  });

  it('of a deactivation end the subscription and record that a person did it', () => {
    expect(by(active, { status: 'inactive' })).toEqual({
      status: 'inactive',
      disabledAt: NOW,
      disabledReason: 'person',
      periods: [...active.periods, fromNow([])],
    });
    const both = by(active, { status: 'inactive', events: ['email.bounced'] });
    expect(both).toMatchObject({ events: ['email.bounced'], periods: [...active.periods, fromNow([])] });
  });

  it('of an activation start a subscription period and clear earlier failures', () => {
    expect(by(inactive, { status: 'active' })).toEqual({
      status: 'active',
      disabledAt: null,
      disabledReason: null,
      periods: [...inactive.periods, fromNow(['email.sent', 'email.replied'])],
      ...noTrouble,
    });
    const both = by(inactive, { status: 'active', events: ['email.bounced'] });
    expect(both).toMatchObject({ periods: [...inactive.periods, fromNow(['email.bounced'])] });
  });

  it('of a new address clear the failures of the previous receiver', () => {
    const url = 'https://erp.example.com/';
    expect(by(active, { url })).toEqual({ url, ...noTrouble });
    expect(by(inactive, { url })).toEqual({ url, ...noTrouble });
  });
});
