import { type EventRecord } from '@domain/events';
import { ACTIVITY_EVENTS, PUSH_EVENTS } from '../activity/activity-events';
import { type CrmAutomationRecord } from './schemas/crm-automation.record';

export type AutomationSubscription = Pick<
  CrmAutomationRecord,
  'workspaceId' | 'crmType' | 'activities' | 'pushOn' | 'campaignIds' | 'since'
>;
type SubscribedEvent = Pick<EventRecord, 'workspaceId' | 'type' | 'campaignId' | 'leadId' | 'createdAt'>;

/** All events that an automation can subscribe to. */
export const SUBSCRIBED_EVENTS = new Set([...ACTIVITY_EVENTS, ...PUSH_EVENTS]);

/** Whether the event becomes an activity. Pure. */
export function isSubscribedToActivity(subscription: AutomationSubscription, event: SubscribedEvent): boolean {
  return isInScope(subscription, event) && (subscription.activities as readonly string[]).includes(event.type);
}

/** Whether the event pushes its lead. Pure. */
export function isPushTrigger(subscription: AutomationSubscription, event: SubscribedEvent): boolean {
  return isInScope(subscription, event) && (subscription.pushOn as readonly string[]).includes(event.type);
}

/** Of the same workspace, about a lead of a selected campaign, and recorded since the subscription. */
function isInScope({ workspaceId, campaignIds, since }: AutomationSubscription, event: SubscribedEvent): boolean {
  if (!workspaceId.equals(event.workspaceId) || event.leadId === null || event.createdAt < since) return false;
  return (
    campaignIds.length === 0 || (event.campaignId !== null && campaignIds.some((id) => id.equals(event.campaignId)))
  );
}
