import { getDigestDueAt } from '../delivery/digest-schedule';
import { type ChatConnectionRecord } from '../schemas/chat-connection.record';

type ConnectionState = Pick<ChatConnectionRecord, 'enabled' | 'status' | 'authMethod' | 'channel'>;

/** Whether anything can be posted. Pure. */
export function isOpen({ enabled, status, authMethod, channel }: ConnectionState): boolean {
  return enabled && status === 'connected' && (authMethod === 'webhook' || channel !== null);
}

/**
 * When waiting messages are posted after a change: at once when the change made posting possible, otherwise by the
 * schedule. Pure.
 */
export function getWaitingDueAt(before: ConnectionState | null, after: ChatConnectionRecord, now: Date): Date {
  return isOpened(before, after) ? now : getDigestDueAt(after, now);
}

/** Whether the change made posting possible. Pure. */
export function isOpened(before: ConnectionState | null, after: ConnectionState): boolean {
  return before !== null && !isOpen(before) && isOpen(after);
}
