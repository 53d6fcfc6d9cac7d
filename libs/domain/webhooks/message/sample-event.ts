import { EVENT_DATA, type EventType } from '@domain/events';
import { messageExample, sampleSubject } from './message-shape';
import { type WebhookMessage } from './webhook-message';

/** A believable message of this type. @param own what is not made up about it */
export function createSampleEvent(
  type: EventType,
  own: Partial<Pick<WebhookMessage, 'id' | 'timestamp' | 'workspaceId'>> = {},
): WebhookMessage {
  const { id, timestamp, workspaceId } = messageExample;
  return { id, type, timestamp, workspaceId, ...own, data: { ...sampleSubject(type), ...EVENT_DATA[type].example } };
}
