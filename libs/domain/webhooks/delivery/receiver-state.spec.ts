import { type CompletedAttempt } from './delivery-decision';
import { decideReceiverState, type ReceiverState } from './receiver-state';

const DAY = 86_400_000;
const at = new Date('2026-11-21T10:00:00Z');
const well: ReceiverState = { failingSince: null, cooldownUntil: null };

function made(
  outcome: 'accepted' | 'failed' | 'gone',
  retryAfterMs: number | null = null,
  when = at,
): CompletedAttempt {
  const verdict = { accepted: outcome === 'accepted', isUnsubscribed: outcome === 'gone', retryAfterMs };
  const attempt = {
    at: when,
    trigger: 'automatic' as const,
    durationMs: 1_000,
    status: 500,
    error: null,
    response: '',
    truncated: false,
  };
  return { attempt, verdict };
}

describe('the effect of an attempt on the receiver state', () => {
  it('records the start of failures at the first failure', () => {
    const once = decideReceiverState(well, made('failed'));
    expect(once).toEqual({ failingSince: at, cooldownUntil: null, disabled: null });
    const later = new Date(at.getTime() + DAY);
    expect(decideReceiverState(once, made('failed', null, later)).failingSince).toEqual(at);
  });

  it('clears the failures after one success', () => {
    const before = { failingSince: at, cooldownUntil: at };
    expect(decideReceiverState(before, made('accepted'))).toEqual({
      failingSince: null,
      cooldownUntil: null,
      disabled: null,
    });
  });

  it('keeps a cooldown requested during an automatic success; a manual success ends it', () => {
    const cooldownUntil = new Date(at.getTime() + 60_000);
    const automatic = made('accepted');
    const manual = { ...automatic, attempt: { ...automatic.attempt, trigger: 'manual' as const } };
    expect(decideReceiverState({ failingSince: at, cooldownUntil }, automatic)).toMatchObject({
      failingSince: null,
      cooldownUntil,
    });
    expect(decideReceiverState({ failingSince: at, cooldownUntil }, manual).cooldownUntil).toBeNull();
  });

  it.each([
    [5 * DAY - 1_001, null],
    [5 * DAY - 1_000, 'failing'],
  ])('disables the webhook after five days of failures only (%i ms)', (ms, disabled) => {
    const before = { failingSince: new Date(at.getTime() - ms), cooldownUntil: null };
    expect(decideReceiverState(before, made('failed')).disabled).toBe(disabled);
  });

  it('disables the webhook at once after a 410 response', () => {
    expect(decideReceiverState(well, made('gone')).disabled).toBe('gone');
  });

  it.each([
    [30_000, 31_000],
    [86_400_000, 3_601_000],
  ])('respects a requested pause of %i ms, at most an hour', (asked, ms) => {
    expect(decideReceiverState(well, made('failed', asked)).cooldownUntil).toEqual(new Date(at.getTime() + ms));
  });

  it('keeps an earlier cooldown after a failure without Retry-After', () => {
    const before = { failingSince: at, cooldownUntil: new Date(at.getTime() + 60_000) };
    expect(decideReceiverState(before, made('failed')).cooldownUntil).toEqual(before.cooldownUntil);
  });
});
