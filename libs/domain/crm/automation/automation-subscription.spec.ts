import { Types } from 'mongoose';
import { isPushTrigger, isSubscribedToActivity } from './automation-subscription';

const id = (): Types.ObjectId => new Types.ObjectId();
const [workspaceId, campaignId] = [id(), id()];
const since = new Date('2026-11-22T08:00:00.000Z');
const WISHES = {
  workspaceId,
  crmType: 'hubspot' as const,
  activities: ['email.sent' as const],
  pushOn: ['email.replied' as const],
  campaignIds: [campaignId],
  since,
};
const EVENT = { workspaceId, type: 'email.sent' as const, campaignId, leadId: id(), createdAt: since };

it.each<[string, object, object, boolean]>([
  ['what it wants to be told', {}, {}, true],
  ['what was recorded before it wanted', {}, { createdAt: new Date(since.getTime() - 1) }, false],
  ['what is of another kind', {}, { type: 'email.opened' }, false],
  ['what it only pushes for', {}, { type: 'email.replied' }, false],
  ['what is of another campaign', {}, { campaignId: id() }, false],
  ['what is of no campaign', {}, { campaignId: null }, false],
  ['what is of any campaign, when it wants all', { campaignIds: [] }, { campaignId: null }, true],
  ['what is of another workspace', {}, { workspaceId: id() }, false],
  ['an event without a lead', {}, { leadId: null }, false],
])('decides whether to post an event: %s', (_what, subscription, event, told) => {
  expect(isSubscribedToActivity({ ...WISHES, ...subscription }, { ...EVENT, ...event })).toBe(told);
});

it('pushes for its push events only, and not for its activities', () => {
  expect(isPushTrigger(WISHES, { ...EVENT, type: 'email.replied' })).toBe(true);
  expect(isPushTrigger(WISHES, EVENT)).toBe(false);
  expect(isPushTrigger(WISHES, { ...EVENT, type: 'email.replied', campaignId: id() })).toBe(false);
});
