import { type ReplyRates, type Slowdown, type WarmupConfig } from '../schemas/warmup.record';

type Growth = Pick<WarmupConfig, 'startingVolume' | 'dailyIncrease' | 'targetVolume'>;
type Shared = Pick<WarmupConfig, 'budgetShare' | 'replyRates'>;

/** Mails of a thread at most, including the first. */
export const MOST_IN_THREAD = 5;

/**
 * Returns the threads to open on a day of a run, from 1: `startingVolume + (day - 1) x dailyIncrease` up to `targetVolume`, and
 * below the ceiling of a slowdown. At least 1.
 */
export function getVolume(day: number, config: Growth, slowdown: Pick<Slowdown, 'ceiling'> | null): number {
  const { startingVolume, dailyIncrease, targetVolume } = config;
  const grown = startingVolume + (day - 1) * dailyIncrease;
  return Math.max(1, Math.min(grown, targetVolume, slowdown?.ceiling ?? Infinity));
}

/** Returns the warmup mails a day at most, answers included; 0 when the mailbox's limit leaves none. */
export function getWarmupShare(dailySendLimit: number, { budgetShare }: Pick<WarmupConfig, 'budgetShare'>): number {
  return Math.floor((dailySendLimit * budgetShare) / 100);
}

/** Returns the expected mails per thread at the highest inbox rate, including answers to answers. */
export function getMailsPerThread({ inbox }: Pick<ReplyRates, 'inbox'>): number {
  let mails = 0;
  for (let position = 0; position < MOST_IN_THREAD; position += 1) mails += (inbox.max / 100) ** position;
  return mails;
}

/** Returns the threads a day that the share allows, with the answers of as many received threads. */
export function getMaxOpenings(dailySendLimit: number, config: Shared): number {
  const share = getWarmupShare(dailySendLimit, config);
  return Math.min(share, Math.max(1, Math.floor(share / getMailsPerThread(config.replyRates))));
}

/** Returns the openings on a day of a run: its volume within its share of the mailbox's limit. */
export function getOpenings(
  day: number,
  config: Growth & Shared,
  { slowdown, dailySendLimit }: { slowdown: Slowdown | null; dailySendLimit: number },
): number {
  return Math.min(getVolume(day, config, slowdown), getMaxOpenings(dailySendLimit, config));
}

/** Returns the mails of a day that are reserved for so many openings, answers included; at most the share. */
export function getReservedMails(openings: number, dailySendLimit: number, config: Shared): number {
  return Math.min(getWarmupShare(dailySendLimit, config), Math.ceil(openings * getMailsPerThread(config.replyRates)));
}

/** Returns the final value of `getOpenings` without a slowdown. */
export function getFullVolume(config: Growth & Shared, dailySendLimit: number): number {
  return Math.min(config.targetVolume, getMaxOpenings(dailySendLimit, config));
}

/** Factor by which a mailbox may receive more threads than it opens, since exchange is never exactly even. */
const LEEWAY = 1.2;

/** Returns the threads a day that others may open with a mailbox: its share must allow the answers besides its own openings. */
export function getMaxReceived(dailySendLimit: number, config: Shared, openings: number): number {
  const answersPerThread = getMailsPerThread(config.replyRates) - 1;
  if (answersPerThread === 0) return Infinity;
  const left = getWarmupShare(dailySendLimit, config) - openings;
  return Math.max(0, Math.ceil((left / answersPerThread) * LEEWAY));
}

/** Returns the answers that a mailbox may still send today: the share without the planned openings. */
export function getRoomForAnswers(
  share: number,
  { openings, answered }: { openings: number; answered: number },
): number {
  return Math.max(0, share - openings - answered);
}
