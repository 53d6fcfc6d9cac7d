import { type ChatError } from '@adapters/chat';
import { type DueMessage } from './next-post';

const SECOND_MS = 1_000;
const MINUTE_MS = 60 * SECOND_MS;
const HOUR_MS = 60 * MINUTE_MS;

/** Slack takes one message a second in a channel (https://docs.slack.dev/apis/web-api/rate-limits). */
export const POST_INTERVAL_MS = 1_200;
/** Waits after failed posts, by consecutive failures; then always the last. */
export const WAITS_MS: readonly number[] = [
  5 * SECOND_MS,
  30 * SECOND_MS,
  2 * MINUTE_MS,
  10 * MINUTE_MS,
  30 * MINUTE_MS,
  HOUR_MS,
];
/** Maximum share added to a wait, so that not all workspaces retry at once. */
const JITTER = 0.2;
/** A message fails after this many attempts over this time. */
export const LEAST_ATTEMPTS = 10;
export const MAX_RETRY_MS = 24 * HOUR_MS;

/** The outcome of a post for its messages. */
export interface PostOutcome {
  readonly state: 'posted' | 'unknown' | 'failed' | 'waiting';
  /** The cooldown after the post. */
  readonly cooldownMs: number;
  /** Consecutive failed posts. */
  readonly failures: number;
  /** A person has to reconnect the chat or choose another channel. */
  readonly disconnects: boolean;
}

/**
 * Decides the outcome of a post. One of unknown outcome is not repeated: a later post mentions it (decision 32). Pure.
 * @param error null when the chat accepted it
 * @param failuresBefore consecutive failed posts
 * @param random 0 to 1
 */
export function decidePostOutcome(error: ChatError | null, failuresBefore: number, random: number): PostOutcome {
  if (error === null) return { state: 'posted', cooldownMs: POST_INTERVAL_MS, failures: 0, disconnects: false };
  const failures = failuresBefore + 1;
  if (error.failure === 'permanent')
    return { state: 'failed', cooldownMs: POST_INTERVAL_MS, failures: 0, disconnects: false };
  if (error.failure === 'needs-human') return { state: 'waiting', cooldownMs: 0, failures, disconnects: true };
  const usual = WAITS_MS[Math.min(failures, WAITS_MS.length) - 1] ?? HOUR_MS;
  const wait = Math.max(error.retryAfterMs ?? usual, POST_INTERVAL_MS);
  const state = error.failure === 'ambiguous' ? 'unknown' : 'waiting';
  return { state, cooldownMs: Math.round(wait * (1 + JITTER * random)), failures, disconnects: false };
}

/** Whether a message fails for good after the last attempt. Pure. */
export function isRetryExpired(
  { attempts, firstTriedAt }: Pick<DueMessage, 'attempts' | 'firstTriedAt'>,
  now: Date,
): boolean {
  if (firstTriedAt === undefined) return false;
  return attempts + 1 >= LEAST_ATTEMPTS && now.getTime() - firstTriedAt.getTime() >= MAX_RETRY_MS;
}
