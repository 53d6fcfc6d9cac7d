import { type EventRecord } from '@domain/events';
import { CHAT_EVENTS, type ChatEvent } from '../chat-events';
import { type ChatConnectionRecord } from '../schemas/chat-connection.record';

export type ChatSubscription = Pick<ChatConnectionRecord, 'enabled' | 'events' | 'campaignIds' | 'createdAt'>;

type Happened = Pick<EventRecord, 'type' | 'campaignId' | 'createdAt' | 'data'>;

const KNOWN: ReadonlySet<string> = new Set(CHAT_EVENTS);

export function isChatEvent(type: string): type is ChatEvent {
  return KNOWN.has(type);
}

/**
 * Whether a channel is subscribed to an event. Events without a campaign pass every campaign filter; the
 * disconnection of the chat itself is excluded. Pure.
 */
export function isChatSubscribed(
  { enabled, events, campaignIds, createdAt }: ChatSubscription,
  event: Happened,
): boolean {
  const { type, campaignId } = event;
  if (!enabled || !isChatEvent(type) || !events.includes(type) || event.createdAt < createdAt) return false;
  if (type === 'integration.disconnected' && event.data['name'] === 'slack') return false;
  return campaignId === null || campaignIds.length === 0 || campaignIds.some((chosen) => chosen.equals(campaignId));
}
