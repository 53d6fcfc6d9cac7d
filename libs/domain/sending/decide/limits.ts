import { addDays, getDay, startOfDay } from '@platform/time';
import { type DayCount, type LimitName, type LimitState, type Opening, type Wait } from './facts';
import { countOn } from './tokens';

/** A limit that holds, before it is known which one binds. */
export type LimitHit = Omit<LimitState, 'binding'>;

/** What holds at a moment, all other facts being as they are. */
export type LimitHitAt = (now: Date) => readonly LimitHit[];

/**
 * Of all limits only the window and what is kept for warmup come back by themselves once they are over, and they are looked at
 * anew each time: mostly a handful of steps do. Where a window on the clocks of one zone meets the weekends of another only in
 * winter, two a week for some eight months.
 */
const MOST_STEPS = 128;

/**
 * What a gate says now, and when it opens: the moment at which the limits of now have ended is looked at again, until one
 * is found at which none holds. Since no limit ends before its `until`, none before that moment is free either.
 */
export function settle(now: Date, heldAt: LimitHitAt): Opening {
  const held = heldAt(now);
  const binding = longest(held);
  return binding ? waiting(held, binding, opening(binding.until, heldAt)) : { kind: 'open' };
}

/** A limit that holds until an act or an event. */
export function endless(name: LimitName, detail?: string): LimitHit {
  return detail === undefined ? { name, until: null } : { name, until: null, detail };
}

/** A limit that holds up to a moment. */
export function blockedUntil(name: LimitName, until: Date | null, now: Date, detail?: string): LimitHit[] {
  if (until === null || until <= now) return [];
  return [detail === undefined ? { name, until } : { name, until, detail }];
}

/** So many a day: holds to the end of the zone's day once they are used up. Of a limit of none there is no end. */
export function blockedByDay(
  name: LimitName,
  count: DayCount,
  max: number | null,
  zone: string,
  now: Date,
): LimitHit[] {
  // To ask the clocks of a zone is what costs here, and most of the time there is no need to.
  if (max === null || count.used < max) return [];
  const today = getDay(now, zone);
  const used = countOn(count, today);
  if (used < max) return [];
  return [{ name, used, max, until: max <= 0 ? null : startOfDay(addDays(today, 1), zone) }];
}

/** One more use that counts up to a moment, in milliseconds since 1970. */
export interface Use {
  used: number;
  ends: number;
}

/** So many within a period that moves along: holds until enough of the oldest have stopped to count. */
export function blockedByPeriod(name: LimitName, uses: readonly Use[], max: number, now: Date): LimitHit[] {
  // Most of the time there is nothing to put into order.
  if (total(uses) < max) return [];
  const counting = uses.filter(({ ends }) => ends > now.getTime()).toSorted((a, b) => a.ends - b.ends);
  const used = counting.reduce((sum, use) => sum + use.used, 0);
  if (used < max) return [];
  if (max <= 0) return [{ name, used, max, until: null }];
  let left = used;
  const last = counting.find((use) => (left -= use.used) < max);
  return [{ name, used, max, until: last ? new Date(last.ends) : null }];
}

/** The earlier of two dates, of which none may be known. */
export function earlier(one: Date | null, other: Date | null): Date | null {
  if (!one || !other) return one ?? other;
  return one <= other ? one : other;
}

function total(uses: readonly Use[]): number {
  let sum = 0;
  for (const { used } of uses) sum += used;
  return sum;
}

function opening(until: Date | null, heldAt: LimitHitAt): Date | null {
  let at = until;
  for (let step = 0; at !== null && step < MOST_STEPS; step += 1) {
    const binding = longest(heldAt(at));
    if (!binding) return at;
    at = binding.until;
  }
  return null;
}

function waiting(held: readonly LimitHit[], binding: LimitHit, nextEligibleAt: Date | null): Wait {
  const limits = held.map((limit) => ({ ...limit, binding: limit === binding }));
  return { kind: 'wait', reason: binding.name, nextEligibleAt, limits };
}

/** The one that holds longest, of equal ones the first. */
function longest(held: readonly LimitHit[]): LimitHit | undefined {
  const end = ({ until }: LimitHit) => until?.getTime() ?? Infinity;
  return held.reduce<LimitHit | undefined>(
    (found, limit) => (found && end(found) >= end(limit) ? found : limit),
    undefined,
  );
}
