import { EVENT_TYPES } from '@domain/events';
import { Types } from 'mongoose';
import { CHAT_EVENTS, DEFAULT_CHAT_EVENTS } from '../chat-events';
import { type ChatSubscription, isChatEvent, isChatSubscribed } from './chat-subscription';

const mine = new Types.ObjectId();
const theirs = new Types.ObjectId();
const SINCE = new Date('2026-11-22T10:00:00Z');
const wishes: ChatSubscription = { enabled: true, events: [...CHAT_EVENTS], campaignIds: [], createdAt: SINCE };
const happened = { type: 'email.replied', campaignId: mine, createdAt: SINCE, data: {} } as const;

it.each([
  ['what was chosen', {}, {}, true],
  ['nothing while it is switched off', { enabled: false }, {}, false],
  ['nothing that was not chosen', { events: ['email.bounced'] }, {}, false],
  ['nothing from before it was connected', {}, { createdAt: new Date(SINCE.getTime() - 1) }, false],
  ['what belongs to a chosen campaign', { campaignIds: [theirs, mine] }, {}, true],
  ['nothing of other campaigns', { campaignIds: [theirs] }, {}, false],
  ['what belongs to no campaign', { campaignIds: [theirs] }, { campaignId: null }, true],
  ['that a CRM is gone', {}, { type: 'integration.disconnected', data: { name: 'hubspot' } }, true],
  ['not that it is gone itself', {}, { type: 'integration.disconnected', data: { name: 'slack' } }, false],
  ['nothing of each email sent', {}, { type: 'email.sent' }, false],
] as const)('subscribes to %s', (_name, wish, event, told) => {
  expect(isChatSubscribed({ ...wishes, ...wish } as ChatSubscription, { ...happened, ...event })).toBe(told);
});

it('knows existing events, and excludes those of every email', () => {
  expect(EVENT_TYPES.filter((type) => !isChatEvent(type))).toEqual(
    expect.arrayContaining(['email.sent', 'lead.completed']),
  );
  expect(DEFAULT_CHAT_EVENTS.every(isChatEvent)).toBe(true);
});
