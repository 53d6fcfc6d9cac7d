import { type FinalOutcome, type ItemOutcome } from '../item-handlers/item-handler';
import { type EnrichmentItemRecord, FAILED } from '../schemas/enrichment-item.record';

/** Times that an item may be without an answer, before that is its answer. */
export const MAX_ATTEMPTS = 6;
/** Times that an item may be taken up at all: one that kills whoever works on it is given up. */
export const MAX_CLAIMS = 20;
/** Nothing is asked again later than this after the job was made (milliseconds). */
export const RETRY_PERIOD_MS = 24 * 3_600_000;
/** Wait before an item is taken up again of which the work said nothing; doubled each time (milliseconds). */
const RETRY_DELAY_MS = 5_000;
const MAX_RETRY_DELAY_MS = 600_000;
const MIN_RETRY_DELAY_MS = 1_000;
/** Characters of what was found out about an item, as JSON. */
const MAX_DETAIL = 16_384;

/** What is written of an item: how it ended, or when it is taken up again. */
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
      /** It does not count that it was taken up. */
      readonly untaken?: true;
    };

type ItemState = Pick<EnrichmentItemRecord, 'claims' | 'attempts' | 'erased' | 'handed'>;

/** When it is, until when something may be asked again, and when the job is gone. */
export interface Times {
  readonly now: Date;
  readonly createdAt: Date;
  readonly expiresAt: Date;
}

/** How an item ended by itself, without the work being asked: null when it is to be asked. Pure. */
export function getEndWithoutRun(item: ItemState, now: Date, outOfTime: () => FinalOutcome): Settlement | null {
  if (item.erased === true) return toErasedItem(now);
  // Its time was until when the tool would have called back.
  if (item.handed === true) return toEndedItem({ kind: 'failed', reason: 'no_answer' }, now);
  return item.claims > MAX_CLAIMS ? toEndedItem(outOfTime(), now) : null;
}

/**
 * What is written of an item after the work was asked, unless it ended by itself meanwhile. Pure.
 * @param outcome what the work said of it; undefined when it said nothing
 * @param outOfTime how it ends when there was no answer often or long enough
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
    // A tool that takes four hundred rows an hour takes 50 000 in five days: only the end of the job ends that.
    return at < expiresAt ? { ...toRetry(item, at), untaken: true } : toEndedItem(outOfTime(), now);
  }
  const attempts = item.attempts + 1;
  if (attempts < MAX_ATTEMPTS && at < getRetryDeadline(times)) return { kind: 'again', at, attempts, handed: false };
  const last = outOfTime();
  const reasons = last.kind === 'done' ? [...new Set([...last.reasons, outcome.reason])] : [];
  return toEndedItem(last.kind === 'done' ? { ...last, reasons } : last, now);
}

/** How an item ends. Pure. */
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
