import { type Slowdown, type Suspension, type WarmupConfig, type WarmupRecord } from '../schemas/warmup.record';
import { type DayFigures } from './day-figures';
import { MUCH_SPAM, toSuspension, TOO_MANY_BOUNCES, TOO_MUCH_SPAM, type Trouble, findTrouble } from './suspension';
import { getFullVolume, getOpenings, getVolume } from './volume';

/** Days in a row at full volume without trouble after which a warmup is completed. */
export const DAYS_AT_CURRENT_VOLUME = 14;
/** Days with mail that a lowered volume gets before it is judged again: by then nothing of before is looked at. */
const MIN_DAYS = 3;

/** Where a run stands. */
export type Progress = Pick<
  WarmupRecord,
  'status' | 'currentDay' | 'currentVolume' | 'heldDays' | 'slowdown' | 'completedAt'
> & {
  suspension: Omit<Suspension, 'at'> | null;
};

export interface DayClosing {
  config: WarmupConfig;
  dailySendLimit: number;
  /** The day that is closed. */
  closed: DayFigures;
  /** What is judged: that day and those before it, oldest first, since the run began or a person last let it go on. */
  judged: readonly DayFigures[];
  now: Date;
}

/**
 * Where a run that was sending stands after a day: at the next day of growth if mail was sent on it, else at the same one. Spam
 * lowers the volume, and what is found later lets it grow again; spam that stays, and bounces, suspend it.
 */
export function closeDay(before: Omit<Progress, 'suspension'>, closing: DayClosing): Progress {
  const { config, dailySendLimit, closed, judged, now } = closing;
  if (closed.sent === 0) return { ...before, suspension: null };
  const trouble = findTrouble(judged);
  const suspension = findSuspension(before.slowdown, trouble);
  const slowdown = nextSlowdown(before, trouble, config);
  const currentDay = before.currentDay + 1;
  const held = slowdown === null && before.currentVolume >= getFullVolume(config, dailySendLimit);
  const heldDays = held ? before.heldDays + 1 : 0;
  const completedAt = before.completedAt ?? (heldDays >= DAYS_AT_CURRENT_VOLUME ? now : null);
  return {
    status: suspension ? 'suspended' : getRunningStatus(completedAt),
    currentDay,
    currentVolume: getOpenings(currentDay, config, { slowdown, dailySendLimit }),
    heldDays,
    slowdown,
    completedAt,
    suspension,
  };
}

/** The status of a run while it sends: what it has reached once it keeps. */
export function getRunningStatus(completedAt: Date | null): 'in_progress' | 'completed' {
  return completedAt === null ? 'in_progress' : 'completed';
}

/** What keeps settings that were raised in the middle of a run from raising the volume by more than a day's increase. */
export function getRampSlowdown(
  { currentDay, currentVolume, slowdown }: Pick<Progress, 'currentDay' | 'currentVolume' | 'slowdown'>,
  { config, dailySendLimit }: Pick<DayClosing, 'config' | 'dailySendLimit'>,
): Slowdown | null {
  const ceiling = currentVolume + config.dailyIncrease;
  if (getOpenings(currentDay, config, { slowdown, dailySendLimit }) <= ceiling) return slowdown;
  // Why it was slowed down before stays known, and for how long: another limit must not put off a suspension.
  return { ...(slowdown ?? { reason: 'settings', days: 0 }), ceiling };
}

/** How a run goes on that the platform had suspended and a person looked at: at half its volume, growing again from there. */
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

/** Half the volume, and for three days no more than that, whatever they bring; then half of it again. */
function lowerVolume(slowdown: Slowdown | null, volume: number): Slowdown {
  const isRecent = slowdown?.reason === 'spam' && slowdown.days + 1 < MIN_DAYS;
  if (isRecent) return { ...slowdown, days: slowdown.days + 1 };
  return { reason: 'spam', ceiling: Math.max(1, Math.floor(volume / 2)), days: 0 };
}
