import { type DeliveryAttempt, type DeliveryState } from '../schemas/webhook-delivery.record';
import { getNextAttemptAt } from './delivery-schedule';
import { type AttemptResult } from './attempt-result';

/** An attempt with its result. */
export interface CompletedAttempt {
  readonly attempt: DeliveryAttempt;
  readonly verdict: Pick<AttemptResult, 'accepted' | 'isUnsubscribed' | 'retryAfterMs'>;
}

/** A delivery before the attempt is recorded. */
export interface DeliveryProgress {
  readonly state: DeliveryState;
  readonly attemptsMade: number;
  readonly countedAs: 'delivered' | 'failed' | null;
  readonly nextAttemptAt?: Date;
}

/** A delivery after the attempt. */
export interface DeliveryDecision {
  readonly state: DeliveryState;
  readonly attemptsMade: number;
  /** null: there is none. */
  readonly nextAttemptAt: Date | null;
  readonly countedAs: 'delivered' | 'failed' | null;
}

/**
 * Decides what an attempt changes. Any success ends the delivery. A failed automatic attempt schedules the next one
 * or gives up; a failed manual attempt leaves the schedule unchanged.
 * @param random 0 to 1
 */
export function decideDelivery(
  { state, attemptsMade, countedAs, nextAttemptAt: planned }: DeliveryProgress,
  { attempt, verdict }: CompletedAttempt,
  retries: number,
  random: number,
): DeliveryDecision {
  const isAutomatic = attempt.trigger === 'automatic';
  const made = attemptsMade + (isAutomatic ? 1 : 0);
  if (verdict.accepted || state === 'delivered') {
    return { state: 'delivered', attemptsMade: made, nextAttemptAt: null, countedAs: 'delivered' };
  }
  if (!isAutomatic || state === 'failed') {
    return { state, attemptsMade: made, nextAttemptAt: planned ?? null, countedAs };
  }
  const at = new Date(attempt.at.getTime() + attempt.durationMs);
  const next = verdict.isUnsubscribed
    ? null
    : getNextAttemptAt({ made, retries, retryAfterMs: verdict.retryAfterMs, at }, random);
  if (next) return { state: 'pending', attemptsMade: made, nextAttemptAt: next, countedAs };
  return { state: 'failed', attemptsMade: made, nextAttemptAt: null, countedAs: 'failed' };
}
