import { type DisabledReason } from '../schemas/webhook.record';
import { type CompletedAttempt } from './delivery-decision';

/** A webhook whose attempts have all failed for this long is disabled. */
const FAILING_MS = 5 * 86_400_000;
/** Maximum cooldown that a receiver can ask for. */
const MAX_COOLDOWN_MS = 3_600_000;

/** The failures and the cooldown of a receiver. */
export interface ReceiverState {
  readonly failingSince: Date | null;
  readonly restUntil: Date | null;
}

export interface ReceiverDecision extends ReceiverState {
  /** Why this attempt disables the webhook; null when it does not. */
  readonly disabled: Exclude<DisabledReason, 'person'> | null;
}

/**
 * Decides the state of a receiver after an attempt. A success clears the failures. A cooldown that was requested
 * during an automatic attempt stays; a successful manual attempt ends it.
 */
export function decideReceiverState(state: ReceiverState, { attempt, verdict }: CompletedAttempt): ReceiverDecision {
  const endedAt = attempt.at.getTime() + attempt.durationMs;
  if (verdict.accepted) {
    const isResting = state.restUntil !== null && state.restUntil.getTime() > endedAt;
    const restUntil = isResting && attempt.trigger === 'automatic' ? state.restUntil : null;
    return { failingSince: null, restUntil, disabled: null };
  }
  const failingSince = state.failingSince ?? attempt.at;
  const restMs = Math.min(verdict.retryAfterMs ?? 0, MAX_COOLDOWN_MS);
  const restUntil = restMs > 0 ? new Date(endedAt + restMs) : state.restUntil;
  if (verdict.isUnsubscribed) return { failingSince, restUntil, disabled: 'gone' };
  return { failingSince, restUntil, disabled: endedAt - failingSince.getTime() >= FAILING_MS ? 'failing' : null };
}
