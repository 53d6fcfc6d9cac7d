import { addDays, getDay, startOfDay } from '@platform/time';
import { type DayCount, type LimitName, type LimitState, type Opening, type Wait } from './facts';
import { countOn } from './tokens';

/** A limit that applies, before the binding one is known. */
export type LimitHit = Omit<LimitState, 'binding'>;

/** Returns the limits that apply at a moment, with all other facts unchanged. */
export type LimitHitAt = (now: Date) => readonly LimitHit[];

/**
 * Only the window and warmup's share can apply again after their end, so they are evaluated again; mostly a handful of
 * steps is enough. A window in one time zone may meet the weekends of another zone only in winter: two steps a week for
 * some eight months.
 */
const MOST_STEPS = 128;

/**
 * Returns the state of a gate now and the moment at which it opens. Evaluates the moment at which the current limits
 * have ended, and repeats until no limit applies. No limit ends before its `until`, so the gate cannot open earlier.
 */
export function settle(now: Date, hitsAt: LimitHitAt): Opening {
  const hits = hitsAt(now);
  const binding = longest(hits);
  return binding ? waiting(hits, binding, opening(binding.until, hitsAt)) : { kind: 'open' };
}

/** A limit that applies until an action or an event. */
export function endless(name: LimitName, detail?: string): LimitHit {
  return detail === undefined ? { name, until: null } : { name, until: null, detail };
}

/** A limit that applies up to a moment. */
export function blockedUntil(name: LimitName, until: Date | null, now: Date, detail?: string): LimitHit[] {
  if (until === null || until <= now) return [];
  return [detail === undefined ? { name, until } : { name, until, detail }];
}

/** A daily limit: once used up, it applies until the end of the zone's day. A limit of 0 has no end. */
export function blockedByDay(
  name: LimitName,
  count: DayCount,
  max: number | null,
  zone: string,
  now: Date,
): LimitHit[] {
  // Zone calculations are expensive here and rarely needed.
  if (max === null || count.used < max) return [];
  const today = getDay(now, zone);
  const used = countOn(count, today);
  if (used < max) return [];
  return [{ name, used, max, until: max <= 0 ? null : startOfDay(addDays(today, 1), zone) }];
}

/** Uses that count until a moment, in milliseconds since 1970. */
export interface Use {
  used: number;
  ends: number;
}

/** A limit for a rolling period: applies until enough of the oldest uses no longer count. */
export function blockedByPeriod(name: LimitName, uses: readonly Use[], max: number, now: Date): LimitHit[] {
  // Sorting is rarely needed.
  if (total(uses) < max) return [];
  const counting = uses.filter(({ ends }) => ends > now.getTime()).toSorted((a, b) => a.ends - b.ends);
  const used = counting.reduce((sum, use) => sum + use.used, 0);
  if (used < max) return [];
  if (max <= 0) return [{ name, used, max, until: null }];
  let left = used;
  const last = counting.find((use) => (left -= use.used) < max);
  return [{ name, used, max, until: last ? new Date(last.ends) : null }];
}

/** Returns the earlier of two dates; null is later than any date. */
export function earlier(one: Date | null, other: Date | null): Date | null {
  if (!one || !other) return one ?? other;
  return one <= other ? one : other;
}

function total(uses: readonly Use[]): number {
  let sum = 0;
  for (const { used } of uses) sum += used;
  return sum;
}

function opening(until: Date | null, hitsAt: LimitHitAt): Date | null {
  let at = until;
  for (let step = 0; at !== null && step < MOST_STEPS; step += 1) {
    const binding = longest(hitsAt(at));
    if (!binding) return at;
    at = binding.until;
  }
  return null;
}

function waiting(hits: readonly LimitHit[], binding: LimitHit, nextEligibleAt: Date | null): Wait {
  const limits = hits.map((limit) => ({ ...limit, binding: limit === binding }));
  return { kind: 'wait', reason: binding.name, nextEligibleAt, limits };
}

/** Returns the limit that applies longest; of equal ones the first. */
function longest(hits: readonly LimitHit[]): LimitHit | undefined {
  const end = ({ until }: LimitHit) => until?.getTime() ?? Infinity;
  return hits.reduce<LimitHit | undefined>(
    (found, limit) => (found && end(found) >= end(limit) ? found : limit),
    undefined,
  );
}
