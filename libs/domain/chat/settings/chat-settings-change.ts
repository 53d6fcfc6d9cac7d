import { getDueAt } from '../delivery/digest-schedule';
import { type ChatConnectionRecord } from '../schemas/chat-connection.record';

type ConnectionState = Pick<ChatConnectionRecord, 'enabled' | 'status' | 'way' | 'channel'>;

/** Whether anything can be posted. Pure. */
export function isOpen({ enabled, status, way, channel }: ConnectionState): boolean {
  return enabled && status === 'connected' && (way === 'webhook' || channel !== null);
}

/**
 * When what waits is told after a change: at once when it has waited for that, otherwise by the rhythm that holds now. Pure.
 */
export function getWaitingDueAt(before: ConnectionState | null, after: ChatConnectionRecord, now: Date): Date {
  return isOpened(before, after) ? now : getDueAt(after, now);
}

/** Whether something can be posted from now on that could not be before. Pure. */
export function isOpened(before: ConnectionState | null, after: ConnectionState): boolean {
  return before !== null && !isOpen(before) && isOpen(after);
}
