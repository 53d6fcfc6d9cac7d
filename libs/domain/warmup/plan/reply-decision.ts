import { type Placement } from '../schemas/warmup-mail.record';
import { type ReplyRates } from '../schemas/warmup.record';
import { type Draw, getDraws } from './seeded-random';
import { MOST_IN_THREAD } from './volume';

const MINUTE_MS = 60_000;
/** Median delay before opening: most mails are opened within minutes, a few after hours. */
const OPENS_AFTER_MS = 12 * MINUTE_MS;
const OPENS_AT_LATEST_MS = 4 * 60 * MINUTE_MS;
/** Median delay from opening to answering. */
const ANSWERS_AFTER_MS = 25 * MINUTE_MS;
const ANSWERS_AT_LATEST_MS = 8 * 60 * MINUTE_MS;

export interface ReceivedMail {
  /** Id of the mail: repeated decisions are equal. */
  mailId: string;
  /** Position in the thread, from 0. */
  position: number;
  placement: Placement;
  /** The receiving mailbox. */
  receiver: { mailboxId: string; rates: ReplyRates };
  /** YYYY-MM-DD of the receipt in the receiver's zone. */
  date: string;
}

/** The receiver's actions in milliseconds after the receipt; outside of its hours they wait. */
export interface ReplyDecision {
  opensAfterMs: number;
  answers: boolean;
  /** Later than `opensAfterMs`; null without an answer. */
  afterMs: number | null;
}

/**
 * Decides whether and when a received mail is answered: by the day's rate for its placement, up to the longest thread. Every mail
 * is opened.
 */
export function decideReply({ mailId, position, placement, receiver, date }: ReceivedMail): ReplyDecision {
  const draw = getDraws('warmup reply', mailId);
  const percent = getReplyRate(date, receiver.mailboxId, placement, receiver.rates);
  const answers = position + 1 < MOST_IN_THREAD && draw() * 100 < percent;
  const opensAfterMs = drawDelay(OPENS_AFTER_MS, OPENS_AT_LATEST_MS, draw);
  const afterMs = opensAfterMs + drawDelay(ANSWERS_AFTER_MS, ANSWERS_AT_LATEST_MS, draw);
  return { opensAfterMs, answers, afterMs: answers ? afterMs : null };
}

/**
 * Returns the percentage of a mailbox's day: between its two rates, evenly distributed over the days. An unknown placement counts
 * as inbox.
 */
export function getReplyRate(date: string, mailboxId: string, placement: Placement, rates: ReplyRates): number {
  if (placement === 'spam') return rates.spam;
  const place = placement === 'promotions' ? 'promotions' : 'inbox';
  const { min, max } = rates[place];
  return min + (max - min) * getDraws('warmup rate', mailboxId, date, place)();
}

/** Draws a log-normal delay (sigma 1) around a median, at least a minute: people are mostly quick and sometimes slow. */
function drawDelay(medianMs: number, atLatestMs: number, draw: Draw): number {
  const normal = Math.sqrt(-2 * Math.log(1 - draw())) * Math.cos(2 * Math.PI * draw());
  return Math.round(Math.min(atLatestMs, Math.max(MINUTE_MS, medianMs * Math.exp(normal))));
}
