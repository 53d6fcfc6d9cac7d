import { type WarmupMetrics } from '../schemas/warmup.record';
import { type DayFigures, countFound, getFraction, getSum } from './day-figures';

/** Days with mail in the rates: older mail does not affect the current reputation. */
const RATED_DAYS = 30;

/**
 * Returns the metrics of a mailbox's warmup mail.
 * @param days all days of its run, oldest first
 */
export function getMetrics(days: readonly DayFigures[], now: Date): WarmupMetrics {
  const rated = days.filter(({ attempted }) => attempted > 0).slice(-RATED_DAYS);
  const found = countFound(rated);
  const attempted = getSum(rated, 'attempted');
  return {
    totalEmailsSent: getSum(days, 'sent'),
    totalRepliesReceived: getSum(days, 'repliesReceived'),
    inboxRate: getFraction(getSum(rated, 'inbox'), found),
    promotionsRate: getFraction(getSum(rated, 'promotions'), found),
    spamRate: getFraction(getSum(rated, 'spam'), found),
    openRate: getFraction(getSum(rated, 'opened'), found),
    replyRate: getFraction(getSum(rated, 'repliesReceived'), found),
    bounceRate: getFraction(getSum(rated, 'bounced'), attempted),
    blockRate: getFraction(getSum(rated, 'blocked'), attempted),
    deferralRate: getFraction(getSum(rated, 'deferred'), attempted),
    lastCalculatedAt: now,
  };
}
