import { type Slowdown, type Suspension, type WarmupConfig, type WarmupRecord } from '../schemas/warmup.record';
import { type DayFigures } from './day-figures';
import { MUCH_SPAM, toSuspension, TOO_MANY_BOUNCES, TOO_MUCH_SPAM, type Trouble, findTrouble } from './suspension';
import { getFullVolume, getOpenings, getVolume } from './volume';

/** Consecutive days at full volume without trouble that complete a warmup. */
export const DAYS_AT_CURRENT_VOLUME = 14;
/** Days with mail before a lowered volume is evaluated again: by then earlier days do not count. */
const MIN_DAYS = 3;

/** Position of a run. */
export type Progress = Pick<
  WarmupRecord,
  'status' | 'currentDay' | 'currentVolume' | 'daysAtVolume' | 'slowdown' | 'completedAt'
> & {
  suspension: Omit<Suspension, 'at'> | null;
};

export interface DayClosing {
  config: WarmupConfig;
  dailySendLimit: number;
  /** The day to close. */
  closed: DayFigures;
  /** Evaluated days, oldest first, up to the closed day: since the start of the run or its last resume. */
  evaluated: readonly DayFigures[];
  now: Date;
}

/**
 * Returns the position of a sending run after a day. The run advances only on a day with mail. Spam lowers the volume, and later
 * inbox placement raises it again; lasting spam and bounces suspend the run.
 */
export function closeDay(before: Omit<Progress, 'suspension'>, closing: DayClosing): Progress {
  const { config, dailySendLimit, closed, evaluated, now } = closing;
  if (closed.sent === 0) return { ...before, suspension: null };
  const trouble = findTrouble(evaluated);
  const suspension = findSuspension(before.slowdown, trouble);
  const slowdown = nextSlowdown(before, trouble, config);
  const currentDay = before.currentDay + 1;
  const isAtVolume = slowdown === null && before.currentVolume >= getFullVolume(config, dailySendLimit);
  const daysAtVolume = isAtVolume ? before.daysAtVolume + 1 : 0;
  const completedAt = before.completedAt ?? (daysAtVolume >= DAYS_AT_CURRENT_VOLUME ? now : null);
  return {
    status: suspension ? 'suspended' : getRunningStatus(completedAt),
    currentDay,
    currentVolume: getOpenings(currentDay, config, { slowdown, dailySendLimit }),
    daysAtVolume,
    slowdown,
    completedAt,
    suspension,
  };
}

/** Returns the status of a sending run; it stays completed once it is. */
export function getRunningStatus(completedAt: Date | null): 'in_progress' | 'completed' {
  return completedAt === null ? 'in_progress' : 'completed';
}

/** Returns a slowdown when changed settings would raise the volume of a run by more than one daily increase. */
export function getRampSlowdown(
  { currentDay, currentVolume, slowdown }: Pick<Progress, 'currentDay' | 'currentVolume' | 'slowdown'>,
  { config, dailySendLimit }: Pick<DayClosing, 'config' | 'dailySendLimit'>,
): Slowdown | null {
  const ceiling = currentVolume + config.dailyIncrease;
  if (getOpenings(currentDay, config, { slowdown, dailySendLimit }) <= ceiling) return slowdown;
  // Keeps reason and duration of a former slowdown: another limit must not delay a suspension.
  return { ...(slowdown ?? { reason: 'settings', days: 0 }), ceiling };
}

/** Returns the slowdown of a resumed run after a suspension: half its volume, growing from there. */
export function getReturnSlowdown({ currentVolume }: Pick<Progress, 'currentVolume'>): Slowdown {
  return { reason: 'suspension', ceiling: Math.max(1, Math.floor(currentVolume / 2)), days: 0 };
}

function findSuspension(slowdown: Slowdown | null, trouble: Trouble): Omit<Suspension, 'at'> | null {
  if (trouble.bounceShare > TOO_MANY_BOUNCES) return toSuspension('bounces', trouble);
  const hadItsChance = slowdown?.reason === 'spam' && slowdown.days + 1 >= MIN_DAYS;
  return hadItsChance && trouble.spamShare > TOO_MUCH_SPAM ? toSuspension('spam_placement', trouble) : null;
}

function nextSlowdown(
  { slowdown, currentDay, currentVolume }: Pick<Progress, 'slowdown' | 'currentDay' | 'currentVolume'>,
  { spamShare }: Trouble,
  config: WarmupConfig,
): Slowdown | null {
  if (spamShare > MUCH_SPAM) return lowerVolume(slowdown, currentVolume);
  if (slowdown === null) return null;
  const ceiling = slowdown.ceiling + config.dailyIncrease;
  const isOver = ceiling >= getVolume(currentDay + 1, config, null);
  return isOver ? null : { ...slowdown, ceiling, days: slowdown.days + 1 };
}

/** Halves the volume for at least three days; then it may be halved again. */
function lowerVolume(slowdown: Slowdown | null, volume: number): Slowdown {
  const isRecent = slowdown?.reason === 'spam' && slowdown.days + 1 < MIN_DAYS;
  if (isRecent) return { ...slowdown, days: slowdown.days + 1 };
  return { reason: 'spam', ceiling: Math.max(1, Math.floor(volume / 2)), days: 0 };
}
