import { type ChatConnectionRecord } from '../schemas/chat-connection.record';
import { type ChatMessageRecord } from '../schemas/chat-message.record';

/** When more are in line, they are told together: a channel that scrolls by is not read. */
export const MOST_SINGLY = 5;

export type DueMessage = Pick<
  ChatMessageRecord,
  '_id' | 'eventId' | 'event' | 'createdAt' | 'attempts' | 'firstTriedAt'
>;

export interface NextPost {
  /** `single`: one thing, told in full. `summary`: all of these, in a line each. */
  readonly kind: 'single' | 'summary';
  readonly messages: readonly DueMessage[];
}

/**
 * What is posted next of what is due. What has waited while nothing could be posted comes first, together. Pure.
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
