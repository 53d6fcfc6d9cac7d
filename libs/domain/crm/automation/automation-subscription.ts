import { type EventRecord } from '@domain/events';
import { ACTIVITY_EVENTS, PUSH_EVENTS } from '../activity/activity-events';
import { type CrmAutomationRecord } from './schemas/crm-automation.record';

export type AutomationSubscription = Pick<
  CrmAutomationRecord,
  'workspaceId' | 'crmType' | 'activities' | 'pushOn' | 'campaignIds' | 'since'
>;
type SubscribedEvent = Pick<EventRecord, 'workspaceId' | 'type' | 'campaignId' | 'leadId' | 'createdAt'>;

/** All that any of them may want to hear of. */
export const SUBSCRIBED_EVENTS = new Set([...ACTIVITY_EVENTS, ...PUSH_EVENTS]);

/** Whether the CRM is to be told of it. Pure. */
export function isSubscribedToActivity(subscription: AutomationSubscription, event: SubscribedEvent): boolean {
  return isInScope(subscription, event) && (subscription.activities as readonly string[]).includes(event.type);
}

/** Whether its lead is to be pushed for it. Pure. */
export function isPushTrigger(subscription: AutomationSubscription, event: SubscribedEvent): boolean {
  return isInScope(subscription, event) && (subscription.pushOn as readonly string[]).includes(event.type);
}

/** Of its workspace, about a lead of one of its campaigns, and recorded since it wants to know. */
function isInScope({ workspaceId, campaignIds, since }: AutomationSubscription, event: SubscribedEvent): boolean {
  if (!workspaceId.equals(event.workspaceId) || event.leadId === null || event.createdAt < since) return false;
  return (
    campaignIds.length === 0 || (event.campaignId !== null && campaignIds.some((id) => id.equals(event.campaignId)))
  );
}
