import { type DisabledReason } from '../schemas/webhook.record';
import { type CompletedAttempt } from './delivery-decision';

/** A webhook whose attempts have all failed for this long is disabled. */
const FAILING_MS = 5 * 86_400_000;
/** Maximum cooldown that a receiver can ask for. */
const MAX_COOLDOWN_MS = 3_600_000;

/** The failures and the cooldown of a receiver. */
export interface ReceiverState {
  readonly failingSince: Date | null;
  readonly cooldownUntil: Date | null;
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
    const isResting = state.cooldownUntil !== null && state.cooldownUntil.getTime() > endedAt;
    const cooldownUntil = isResting && attempt.trigger === 'automatic' ? state.cooldownUntil : null;
    return { failingSince: null, cooldownUntil, disabled: null };
  }
  const failingSince = state.failingSince ?? attempt.at;
  const cooldownMs = Math.min(verdict.retryAfterMs ?? 0, MAX_COOLDOWN_MS);
  const cooldownUntil = cooldownMs > 0 ? new Date(endedAt + cooldownMs) : state.cooldownUntil;
  if (verdict.isUnsubscribed) return { failingSince, cooldownUntil, disabled: 'gone' };
  return { failingSince, cooldownUntil, disabled: endedAt - failingSince.getTime() >= FAILING_MS ? 'failing' : null };
}
