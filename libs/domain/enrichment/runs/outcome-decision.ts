import { type FinalOutcome, type ItemOutcome } from '../item-handlers/item-handler';
import { type EnrichmentItemRecord, FAILED } from '../schemas/enrichment-item.record';

/** Maximum number of attempts without an answer. */
export const MAX_ATTEMPTS = 6;
/** Maximum number of claims: an item that crashes its workers is ended. */
export const MAX_CLAIMS = 20;
/** Retries end this many milliseconds after the creation of the job. */
export const RETRY_PERIOD_MS = 24 * 3_600_000;
/** Delay after an attempt without any outcome, doubled each time (milliseconds). */
const RETRY_DELAY_MS = 5_000;
const MAX_RETRY_DELAY_MS = 600_000;
const MIN_RETRY_DELAY_MS = 1_000;
/** Maximum characters of the JSON details of an item. */
const MAX_DETAIL = 16_384;

/** What is written of an item: its end, or its next attempt. */
export type Settlement =
  | {
      readonly kind: 'over';
      readonly result: string;
      readonly reasons: readonly string[];
      readonly charged: boolean;
      readonly detail: string;
      readonly checkedAt: Date;
    }
  | {
      readonly kind: 'again';
      readonly at: Date;
      readonly attempts: number;
      readonly handed: boolean;
      /** The claim does not count. */
      readonly untaken?: true;
    };

type ItemState = Pick<EnrichmentItemRecord, 'claims' | 'attempts' | 'erased' | 'handed'>;

/** The present time, the creation of the job, and its expiry. */
export interface Times {
  readonly now: Date;
  readonly createdAt: Date;
  readonly expiresAt: Date;
}

/** The end of an item that needs no further attempt; null when the handler has to process it. Pure. */
export function getEndWithoutRun(item: ItemState, now: Date, outOfTime: () => FinalOutcome): Settlement | null {
  if (item.erased === true) return toErasedItem(now);
  // Its due time was the deadline of the tool's callback.
  if (item.handed === true) return toEndedItem({ kind: 'failed', reason: 'no_answer' }, now);
  return item.claims > MAX_CLAIMS ? toEndedItem(outOfTime(), now) : null;
}

/**
 * Decides what is written of an item after the handler ran. Pure.
 * @param outcome the outcome of the handler; undefined without one
 * @param outOfTime the outcome of an item whose attempts or time have run out
 */
export function getSettlement(
  item: ItemState,
  outcome: ItemOutcome | undefined,
  times: Times,
  outOfTime: () => FinalOutcome,
): Settlement {
  const { now, expiresAt } = times;
  if (outcome === undefined) return toRetry(item, new Date(now.getTime() + getRetryDelayMs(item.claims)));
  if (outcome.kind === 'done' || outcome.kind === 'failed') return toEndedItem(outcome, now);
  if (outcome.kind === 'handed') {
    const until = new Date(Math.min(outcome.until.getTime(), expiresAt.getTime()));
    return { kind: 'again', at: until, attempts: item.attempts, handed: true };
  }
  const at = new Date(Math.max(outcome.at.getTime(), now.getTime() + MIN_RETRY_DELAY_MS));
  if (outcome.kind === 'put_back') {
    // A tool with 400 rows an hour needs five days for 50 000 rows: only the expiry of the job ends this wait.
    return at < expiresAt ? { ...toRetry(item, at), untaken: true } : toEndedItem(outOfTime(), now);
  }
  const attempts = item.attempts + 1;
  if (attempts < MAX_ATTEMPTS && at < getRetryDeadline(times)) return { kind: 'again', at, attempts, handed: false };
  const last = outOfTime();
  const reasons = last.kind === 'done' ? [...new Set([...last.reasons, outcome.reason])] : [];
  return toEndedItem(last.kind === 'done' ? { ...last, reasons } : last, now);
}

/** Converts a final outcome to what is written. Pure. */
export function toEndedItem(outcome: FinalOutcome, now: Date): Settlement {
  if (outcome.kind === 'failed') return toFailedItem(outcome.reason, now);
  const detail = JSON.stringify(outcome.detail);
  if (detail.length > MAX_DETAIL) return toFailedItem('answer_too_large', now);
  const { result, reasons, isDecisive, checkedAt } = outcome;
  return { kind: 'over', result, reasons, charged: isDecisive, detail, checkedAt };
}

function toFailedItem(reason: string, now: Date): Settlement {
  return { kind: 'over', result: FAILED, reasons: [reason], charged: false, detail: '{}', checkedAt: now };
}

function toErasedItem(now: Date): Settlement {
  return toFailedItem('erased', now);
}

function toRetry({ attempts }: ItemState, at: Date): Extract<Settlement, { kind: 'again' }> {
  return { kind: 'again', at, attempts, handed: false };
}

function getRetryDeadline({ createdAt, expiresAt }: Times): Date {
  return new Date(Math.min(createdAt.getTime() + RETRY_PERIOD_MS, expiresAt.getTime()));
}

function getRetryDelayMs(claims: number): number {
  return Math.min(RETRY_DELAY_MS * 2 ** Math.max(0, claims - 1), MAX_RETRY_DELAY_MS);
}
