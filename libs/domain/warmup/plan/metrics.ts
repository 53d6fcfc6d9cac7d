import { type WarmupMetrics } from '../schemas/warmup.record';
import { type DayFigures, foundIn, fraction, sumOf } from './day.figures';

/** Days with mail that rates are taken over: what was long ago says nothing about a reputation. */
const RATED_DAYS = 30;

/**
 * What was found of a mailbox's warmup mail.
 * @param days all of its run, oldest first
 */
export function metricsOf(days: readonly DayFigures[], now: Date): WarmupMetrics {
  const rated = days.filter(({ attempted }) => attempted > 0).slice(-RATED_DAYS);
  const found = foundIn(rated);
  const attempted = sumOf(rated, 'attempted');
  return {
    totalEmailsSent: sumOf(days, 'sent'),
    totalRepliesReceived: sumOf(days, 'repliesReceived'),
    inboxRate: fraction(sumOf(rated, 'inbox'), found),
    promotionsRate: fraction(sumOf(rated, 'promotions'), found),
    spamRate: fraction(sumOf(rated, 'spam'), found),
    openRate: fraction(sumOf(rated, 'opened'), found),
    replyRate: fraction(sumOf(rated, 'repliesReceived'), found),
    bounceRate: fraction(sumOf(rated, 'bounced'), attempted),
    blockRate: fraction(sumOf(rated, 'blocked'), attempted),
    deferralRate: fraction(sumOf(rated, 'deferred'), attempted),
    lastCalculatedAt: now,
  };
}
