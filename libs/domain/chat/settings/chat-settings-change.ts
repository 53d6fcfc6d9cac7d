import { dueAt } from '../delivery/digest-schedule';
import { type ChatConnectionRecord } from '../schemas/chat-connection.record';

type Standing = Pick<ChatConnectionRecord, 'enabled' | 'status' | 'way' | 'channel'>;

/** Whether anything can be posted. Pure. */
export function isOpen({ enabled, status, way, channel }: Standing): boolean {
  return enabled && status === 'connected' && (way === 'webhook' || channel !== null);
}

/**
 * When what waits is told after a change: at once when it has waited for that, otherwise by the rhythm that holds now. Pure.
 */
export function waitingDueAt(before: Standing | null, after: ChatConnectionRecord, now: Date): Date {
  return opens(before, after) ? now : dueAt(after, now);
}

/** Whether something can be posted from now on that could not be before. Pure. */
export function opens(before: Standing | null, after: Standing): boolean {
  return before !== null && !isOpen(before) && isOpen(after);
}
