import { type WarmupMetrics } from '../schemas/warmup.record';
import { type DayFigures, foundIn, fraction, getSum } from './day-figures';

/** Days with mail that rates are taken over: what was long ago says nothing about a reputation. */
const RATED_DAYS = 30;

/**
 * What was found of a mailbox's warmup mail.
 * @param days all of its run, oldest first
 */
export function getMetrics(days: readonly DayFigures[], now: Date): WarmupMetrics {
  const rated = days.filter(({ attempted }) => attempted > 0).slice(-RATED_DAYS);
  const found = foundIn(rated);
  const attempted = getSum(rated, 'attempted');
  return {
    totalEmailsSent: getSum(days, 'sent'),
    totalRepliesReceived: getSum(days, 'repliesReceived'),
    inboxRate: fraction(getSum(rated, 'inbox'), found),
    promotionsRate: fraction(getSum(rated, 'promotions'), found),
    spamRate: fraction(getSum(rated, 'spam'), found),
    openRate: fraction(getSum(rated, 'opened'), found),
    replyRate: fraction(getSum(rated, 'repliesReceived'), found),
    bounceRate: fraction(getSum(rated, 'bounced'), attempted),
    blockRate: fraction(getSum(rated, 'blocked'), attempted),
    deferralRate: fraction(getSum(rated, 'deferred'), attempted),
    lastCalculatedAt: now,
  };
}
