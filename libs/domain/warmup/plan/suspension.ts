import { type Suspension } from '../schemas/warmup.record';
import { type DayFigures, countFound, getFraction, getSum } from './day-figures';

/** Days with mail that a verdict looks at. */
const OBSERVED_DAYS = 3;
/** Of fewer mails found, or given to a server, nothing is concluded. */
const LEAST_FOUND = 30;
const LEAST_ATTEMPTED = 20;
/** More of it in spam: the volume is halved. */
export const MUCH_SPAM = 0.2;
/** More, although it was halved: it is suspended. */
export const TOO_MUCH_SPAM = 0.4;
/** More of it bounced or blocked: it is suspended. */
export const TOO_MANY_BOUNCES = 0.05;

/** What the last days of a warmup say. */
export interface Trouble {
  /** Of the mails found, 0 to 1; 0 while there are too few to say. */
  spamShare: number;
  spam: number;
  found: number;
  /** Bounced or blocked, of those given to a server, 0 to 1; 0 while there are too few to say. */
  bounceShare: number;
  bounces: number;
  attempted: number;
}

/** @param days newest last; only the last three with mail are looked at */
export function findTrouble(days: readonly DayFigures[]): Trouble {
  const recent = days.filter(({ attempted }) => attempted > 0).slice(-OBSERVED_DAYS);
  const [spam, found, attempted] = [getSum(recent, 'spam'), countFound(recent), getSum(recent, 'attempted')];
  const bounces = getSum(recent, 'bounced') + getSum(recent, 'blocked');
  return {
    spamShare: found < LEAST_FOUND ? 0 : getFraction(spam, found),
    spam,
    found,
    bounceShare: attempted < LEAST_ATTEMPTED ? 0 : getFraction(bounces, attempted),
    bounces,
    attempted,
  };
}

/** For people: why it was suspended. */
export function toSuspension(code: Suspension['code'], trouble: Trouble): Omit<Suspension, 'at'> {
  const { spam, found, bounces, attempted } = trouble;
  const message =
    code === 'bounces'
      ? `${bounces} of ${attempted} warmup mails of the last days bounced or were blocked`
      : `${spam} of ${found} warmup mails of the last days were found in spam, although the volume had been lowered`;
  return { code, message };
}
