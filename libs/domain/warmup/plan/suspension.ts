import { type Suspension } from '../schemas/warmup.record';
import { type DayFigures, countFound, getFraction, getSum } from './day-figures';

/** Days with mail that are evaluated. */
const OBSERVED_DAYS = 3;
/** Fewer found or attempted mails are not evaluated. */
const LEAST_FOUND = 30;
const LEAST_ATTEMPTED = 20;
/** A higher rate of spam halves the volume. */
export const MUCH_SPAM = 0.2;
/** A higher rate of spam after halving suspends the warmup. */
export const TOO_MUCH_SPAM = 0.4;
/** A higher rate of bounced or blocked mail suspends the warmup. */
export const TOO_MANY_BOUNCES = 0.05;

/** Evaluation of the last days of a warmup. */
export interface Trouble {
  /** Spam share of found mail, 0 to 1; 0 for too few mails. */
  spamShare: number;
  spam: number;
  found: number;
  /** Bounced or blocked share of attempted mail, 0 to 1; 0 for too few mails. */
  bounceShare: number;
  bounces: number;
  attempted: number;
}

/** @param days newest last; only the last three with mail count */
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

/** Returns the suspension with a reason for people. */
export function toSuspension(code: Suspension['code'], trouble: Trouble): Omit<Suspension, 'at'> {
  const { spam, found, bounces, attempted } = trouble;
  const message =
    code === 'bounces'
      ? `${bounces} of ${attempted} recent warmup mails bounced or were blocked`
      : `${spam} of ${found} recent warmup mails were found in spam, although the volume had been lowered`;
  return { code, message };
}
