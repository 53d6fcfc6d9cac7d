import { EVENT_DATA, type EventType } from '@domain/events';
import { messageExample, sampleSubject } from './message-shape';
import { type WebhookMessage } from './webhook-message';

/** An example message of this type. @param own the fields with real values */
export function createSampleEvent(
  type: EventType,
  own: Partial<Pick<WebhookMessage, 'id' | 'timestamp' | 'workspaceId'>> = {},
): WebhookMessage {
  const { id, timestamp, workspaceId } = messageExample;
  return { id, type, timestamp, workspaceId, ...own, data: { ...sampleSubject(type), ...EVENT_DATA[type].example } };
}
