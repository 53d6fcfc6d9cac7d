import { type DisabledReason } from '../schemas/webhook.record';
import { type CompletedAttempt } from './delivery-decision';

/** A webhook that has done nothing but fail for so long is disabled. */
const FAILING_MS = 5 * 86_400_000;
/** A receiver may hold back all that is meant for it for so long at most. */
const MAX_COOLDOWN_MS = 3_600_000;

/** How a receiver has been doing. */
export interface ReceiverState {
  readonly failingSince: Date | null;
  readonly restUntil: Date | null;
}

export interface ReceiverDecision extends ReceiverState {
  /** Why it is disabled now; null while it is not. */
  readonly disabled: Exclude<DisabledReason, 'person'> | null;
}

/**
 * What an attempt says of its receiver. A success ends all trouble, but not a rest that was asked for while it was under way:
 * that is for who waited for it, or for a person who tried.
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
