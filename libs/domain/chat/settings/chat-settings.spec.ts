import { DEFAULT_CHAT_EVENTS } from '../chat-events';
import { SetSlackRequest } from '../dto/chat-requests.dto';
import { isOpen, isOpened } from './chat-settings-change';
import { findFaults, toSettings } from './chat-settings';

const asked = (input: Partial<SetSlackRequest> = {}): SetSlackRequest => Object.assign(new SetSlackRequest(), input);
const WEBHOOK = { webhookUrl: 'https://hooks.slack.com/services/T/B/x' };

it.each([
  ['by default', {}, { mode: 'instant', everyMinutes: null, timeOfDay: null }],
  ['in digests of an hour', { mode: 'digest' }, { mode: 'digest', everyMinutes: 60, timeOfDay: null }],
  ['in digests of five minutes', { mode: 'digest', everyMinutes: 5 }, { everyMinutes: 5, timeOfDay: null }],
  ['once a day', { mode: 'digest', timeOfDay: '09:00' }, { everyMinutes: null, timeOfDay: '09:00' }],
] as const)('configures posts %s', (_name, input, settings) => {
  expect(toSettings(asked(input))).toMatchObject({
    enabled: true,
    timezone: 'UTC',
    events: DEFAULT_CHAT_EVENTS,
    ...settings,
  });
});

it.each([
  ['nothing is connected', {}, null, ['webhookUrl']],
  ['a webhook is given', WEBHOOK, null, []],
  ['a webhook is there', {}, 'webhook', []],
  ['a consent is there', { channelId: 'C1' }, 'consent', []],
  ['a channel is chosen of a webhook', { channelId: 'C1' }, 'webhook', ['channelId']],
  ['both are given', { ...WEBHOOK, channelId: 'C1' }, 'consent', ['channelId']],
  ['the team is named after a consent', { teamName: 'Acme' }, 'consent', ['teamName']],
  ['the team of a webhook is named', { ...WEBHOOK, teamName: 'Acme' }, 'consent', []],
  ['an interval is given for no digest', { ...WEBHOOK, everyMinutes: 5 }, null, ['everyMinutes']],
  ['a time is given for no digest', { ...WEBHOOK, timeOfDay: '09:00' }, null, ['timeOfDay']],
  [
    'interval and time are given',
    { ...WEBHOOK, mode: 'digest', everyMinutes: 5, timeOfDay: '09:00' },
    null,
    ['everyMinutes'],
  ],
] as const)('reports the invalid fields when %s', (_name, input, authMethod, fields) => {
  expect(findFaults(asked(input), authMethod && { authMethod }).map(({ field }) => field)).toEqual(fields);
});

const open = {
  enabled: true,
  status: 'connected',
  authMethod: 'consent',
  channel: { id: 'C1', name: 'sales' },
} as const;

it.each([
  ['with a channel', open, true],
  ['without one', { ...open, channel: null }, false],
  ['of a webhook', { ...open, authMethod: 'webhook', channel: null }, true],
  ['that is switched off', { ...open, enabled: false }, false],
  ['that refuses us', { ...open, status: 'disconnected' }, false],
] as const)('decides whether a chat %s can receive posts: %s', (_name, standing, is) => {
  expect(isOpen(standing)).toBe(is);
  expect(isOpened(standing, open)).toBe(!is);
  expect(isOpened(null, standing)).toBe(false);
});
