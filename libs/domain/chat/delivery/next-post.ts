import { type ChatConnectionRecord } from '../schemas/chat-connection.record';
import { type ChatMessageRecord } from '../schemas/chat-message.record';

/** More waiting messages than this are posted as one summary, to keep the channel readable. */
export const MOST_SINGLY = 5;

export type DueMessage = Pick<
  ChatMessageRecord,
  '_id' | 'eventId' | 'event' | 'createdAt' | 'attempts' | 'firstTriedAt'
>;

export interface NextPost {
  /** `single`: one event in full. `summary`: all of them, one line each. */
  readonly kind: 'single' | 'summary';
  readonly messages: readonly DueMessage[];
}

/**
 * Returns the next post. Messages that waited during an outage come first, as one summary. Pure.
 * @param due in their order, at least one
 */
export function getNextPost(
  { mode, catchUpUntil }: Pick<ChatConnectionRecord, 'mode' | 'catchUpUntil'>,
  due: readonly DueMessage[],
): NextPost {
  const missed = catchUpUntil === null ? [] : due.filter(({ createdAt }) => createdAt <= catchUpUntil);
  const together = mode === 'digest' || due.length > MOST_SINGLY ? due : missed;
  if (together.length > 1) return { kind: 'summary', messages: together };
  const messages = [...missed, ...due].slice(0, 1);
  return { kind: mode === 'digest' ? 'summary' : 'single', messages };
}
