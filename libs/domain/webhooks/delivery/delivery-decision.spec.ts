import { type AttemptTrigger } from '../schemas/webhook-delivery.record';
import { decideDelivery, type CompletedAttempt, type DeliveryProgress } from './delivery-decision';

const at = new Date('2026-11-21T10:00:00Z');
const planned = new Date('2026-11-21T10:30:00Z');
const fresh: DeliveryProgress = { state: 'pending', attemptsMade: 0, countedAs: null, nextAttemptAt: at };
const waiting: DeliveryProgress = { state: 'pending', attemptsMade: 2, countedAs: null, nextAttemptAt: planned };
const givenUp: DeliveryProgress = { state: 'failed', attemptsMade: 6, countedAs: 'failed' };
const done: DeliveryProgress = { state: 'delivered', attemptsMade: 1, countedAs: 'delivered' };

function made(
  trigger: AttemptTrigger,
  outcome: 'accepted' | 'failed' | 'gone',
  retryAfterMs: number | null = null,
): CompletedAttempt {
  const verdict = { accepted: outcome === 'accepted', isUnsubscribed: outcome === 'gone', retryAfterMs };
  const attempt = { at, trigger, durationMs: 400, status: 500, error: null, response: '', truncated: false };
  return { attempt, verdict };
}

const after = (before: DeliveryProgress, attempt: CompletedAttempt, retries = 5) =>
  decideDelivery(before, attempt, retries, 0);

describe('the effect of an attempt on its delivery', () => {
  it.each([
    ['automatic', fresh, 1],
    ['automatic', waiting, 3],
    ['manual', waiting, 2],
    ['manual', givenUp, 6],
    ['manual', done, 1],
  ] as const)('an accepted %s attempt ends the delivery', (trigger, before, attemptsMade) => {
    expect(after(before, made(trigger, 'accepted'))).toEqual({
      state: 'delivered',
      attemptsMade,
      nextAttemptAt: null,
      countedAs: 'delivered',
    });
  });

  it('a failed automatic attempt schedules the next one from its end', () => {
    expect(after(fresh, made('automatic', 'failed'))).toEqual({
      state: 'pending',
      attemptsMade: 1,
      nextAttemptAt: new Date(at.getTime() + 400 + 5_000),
      countedAs: null,
    });
  });

  it('the last failed automatic attempt ends the delivery as failed', () => {
    const gone = { state: 'failed', attemptsMade: 3, nextAttemptAt: null, countedAs: 'failed' };
    expect(after(waiting, made('automatic', 'failed'), 2)).toEqual(gone);
  });

  it('a 410 response ends the delivery at once', () => {
    expect(after(fresh, made('automatic', 'gone'))).toMatchObject({ state: 'failed', countedAs: 'failed' });
  });

  it('a failed manual attempt changes nothing', () => {
    expect(after(waiting, made('manual', 'failed', 60_000))).toEqual({
      state: 'pending',
      attemptsMade: 2,
      nextAttemptAt: planned,
      countedAs: null,
    });
    expect(after(givenUp, made('manual', 'failed'))).toMatchObject({ state: 'failed', nextAttemptAt: null });
    expect(after(waiting, made('manual', 'gone'))).toMatchObject({ state: 'pending', nextAttemptAt: planned });
  });

  it('a failed attempt leaves a delivery that another attempt completed as delivered', () => {
    expect(after(done, made('automatic', 'failed'))).toMatchObject({ state: 'delivered', nextAttemptAt: null });
  });

  it('a failed replay of a delivered event counts as failed only after its last attempt', () => {
    const replayed: DeliveryProgress = { state: 'pending', attemptsMade: 0, countedAs: 'delivered', nextAttemptAt: at };
    expect(after(replayed, made('automatic', 'failed'))).toMatchObject({ countedAs: 'delivered' });
    expect(after(replayed, made('automatic', 'failed'), 0)).toMatchObject({ state: 'failed', countedAs: 'failed' });
  });
});
