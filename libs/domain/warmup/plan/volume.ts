import { type ReplyRates, type Slowdown, type WarmupConfig } from '../schemas/warmup.record';

type Growth = Pick<WarmupConfig, 'startingVolume' | 'dailyIncrease' | 'targetVolume'>;
type Shared = Pick<WarmupConfig, 'budgetShare' | 'replyRates'>;

/** Mails of a thread at most, the first included. */
export const MOST_IN_THREAD = 5;

/**
 * Threads that are begun on a day of a run, from 1: `startingVolume + (day - 1) x dailyIncrease` up to `targetVolume`, and below
 * the ceiling of a slowdown. At least 1.
 */
export function getVolume(day: number, config: Growth, slowdown: Pick<Slowdown, 'ceiling'> | null): number {
  const { startingVolume, dailyIncrease, targetVolume } = config;
  const grown = startingVolume + (day - 1) * dailyIncrease;
  return Math.max(1, Math.min(grown, targetVolume, slowdown?.ceiling ?? Infinity));
}

/** Mails that warmup may send a day at most, answers included; 0 when the mailbox's limit leaves none. */
export function getShare(dailySendLimit: number, { budgetShare }: Pick<WarmupConfig, 'budgetShare'>): number {
  return Math.floor((dailySendLimit * budgetShare) / 100);
}

/** Mails that come of a thread at the highest rate of the inbox: it is answered, the answer is answered, and so on. */
export function getMailsPerThread({ inbox }: Pick<ReplyRates, 'inbox'>): number {
  let mails = 0;
  for (let position = 0; position < MOST_IN_THREAD; position += 1) mails += (inbox.max / 100) ** position;
  return mails;
}

/** Threads a day that the share has room for, with all answers that come of as many that are received. */
export function getMaxOpenings(dailySendLimit: number, config: Shared): number {
  const share = getShare(dailySendLimit, config);
  return Math.min(share, Math.max(1, Math.floor(share / getMailsPerThread(config.replyRates))));
}

/** Threads that a mailbox begins on a day of its run: what the volume says, within its share of the mailbox's limit. */
export function getOpenings(
  day: number,
  config: Growth & Shared,
  { slowdown, dailySendLimit }: { slowdown: Slowdown | null; dailySendLimit: number },
): number {
  return Math.min(getVolume(day, config, slowdown), getMaxOpenings(dailySendLimit, config));
}

/** Mails of a day that are kept for a warmup that begins so many threads, answers included: no more than its share. */
export function getReservedMails(openings: number, dailySendLimit: number, config: Shared): number {
  return Math.min(getShare(dailySendLimit, config), Math.ceil(openings * getMailsPerThread(config.replyRates)));
}

/** What `getOpenings` comes to in the end, when nothing holds it back. */
export function getFullVolume(config: Growth & Shared, dailySendLimit: number): number {
  return Math.min(config.targetVolume, getMaxOpenings(dailySendLimit, config));
}

/** By how much more than it begins itself a mailbox may be written to: nothing is even to the last mail. */
const LEEWAY = 1.2;

/** Threads a day that others may begin with a mailbox: as many as its share has room to answer beside its own openings. */
export function getMaxReceived(dailySendLimit: number, config: Shared, openings: number): number {
  const answersPerThread = getMailsPerThread(config.replyRates) - 1;
  if (answersPerThread === 0) return Infinity;
  const left = getShare(dailySendLimit, config) - openings;
  return Math.max(0, Math.ceil((left / answersPerThread) * LEEWAY));
}

/** Answers that a mailbox may still send today: what its share leaves beside the openings that are planned. */
export function getRoomForAnswers(
  share: number,
  { openings, answered }: { openings: number; answered: number },
): number {
  return Math.max(0, share - openings - answered);
}
