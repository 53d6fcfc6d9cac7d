import fc from 'fast-check';
import { type FinalOutcome, type ItemOutcome } from '../item-handlers/item-handler';
import {
  RETRY_PERIOD_MS,
  getEndWithoutRun,
  MAX_ATTEMPTS,
  MAX_CLAIMS,
  toEndedItem,
  type Settlement,
  getSettlement,
} from './outcome-decision';

const now = new Date('2026-11-21T12:00:00.000Z');
const createdAt = new Date('2026-11-21T10:00:00.000Z');
const expiresAt = new Date('2026-11-28T10:00:00.000Z');
const times = { now, createdAt, expiresAt };
const fresh = { claims: 1, attempts: 0 };
const inMs = (milliseconds: number) => new Date(now.getTime() + milliseconds);

const valid = {
  kind: 'done',
  result: 'valid',
  reasons: ['accepted'],
  isDecisive: true,
  detail: { mx: 'a' },
  checkedAt: now,
} as const;
const outOfTime = (): FinalOutcome => ({
  kind: 'done',
  result: 'unknown',
  reasons: ['out_of_time'],
  isDecisive: false,
  detail: {},
  checkedAt: now,
});
const failed = (reason: string): Settlement => ({
  kind: 'over',
  result: 'failed',
  reasons: [reason],
  charged: false,
  detail: '{}',
  checkedAt: now,
});
const unknown = (...reasons: string[]): Settlement => ({
  kind: 'over',
  result: 'unknown',
  reasons,
  charged: false,
  detail: '{}',
  checkedAt: now,
});
const later = (milliseconds: number): ItemOutcome => ({ kind: 'later', at: inMs(milliseconds), reason: 'greylisted' });

describe('an item that ends without a run', () => {
  it.each<[string, Parameters<typeof getEndWithoutRun>[0], Settlement | null]>([
    ['is not one that is taken up for the first time', fresh, null],
    ['is not one that many took up', { claims: MAX_CLAIMS, attempts: 0 }, null],
    ['is one that too many took up', { claims: MAX_CLAIMS + 1, attempts: 0 }, unknown('out_of_time')],
    ['is one whose tool did not call back', { ...fresh, handed: true }, failed('no_answer')],
    ['is one whose person was erased', { ...fresh, erased: true }, failed('erased')],
    ['is erased rather than unanswered', { ...fresh, handed: true, erased: true }, failed('erased')],
  ])('%s', (_what, item, expected) => {
    expect(getEndWithoutRun(item, now, outOfTime)).toEqual(expected);
  });
});

describe('the outcome of an item', () => {
  it.each<[string, { claims: number; attempts: number }, ItemOutcome | undefined, Settlement]>([
    [
      'is the answer, paid for when it is decisive',
      fresh,
      valid,
      { kind: 'over', result: 'valid', reasons: ['accepted'], charged: true, detail: '{"mx":"a"}', checkedAt: now },
    ],
    ['is the answer, free when it is not', fresh, outOfTime(), unknown('out_of_time')],
    ['is why it failed', fresh, { kind: 'failed', reason: 'broken' }, failed('broken')],
    [
      'is when it is asked again',
      fresh,
      later(60_000),
      { kind: 'again', at: inMs(60_000), attempts: 1, handed: false },
    ],
    [
      'is never a time that is past',
      fresh,
      later(-60_000),
      { kind: 'again', at: inMs(1_000), attempts: 1, handed: false },
    ],
    [
      'is when it is asked for the last time',
      { claims: 9, attempts: MAX_ATTEMPTS - 2 },
      later(60_000),
      { kind: 'again', at: inMs(60_000), attempts: MAX_ATTEMPTS - 1, handed: false },
    ],
    [
      'is that it is not known, after it was asked so often',
      { claims: 9, attempts: MAX_ATTEMPTS - 1 },
      later(60_000),
      unknown('out_of_time', 'greylisted'),
    ],
    [
      'is that it is not known, when it would be asked a day after its job was made',
      fresh,
      later(createdAt.getTime() + RETRY_PERIOD_MS - now.getTime()),
      unknown('out_of_time', 'greylisted'),
    ],
    [
      'does not count as an attempt while the provider is in a cooldown',
      { claims: 9, attempts: MAX_ATTEMPTS - 1 },
      { kind: 'put_back', at: inMs(3 * 86_400_000) },
      { kind: 'again', at: inMs(3 * 86_400_000), attempts: MAX_ATTEMPTS - 1, handed: false, untaken: true },
    ],
    [
      'is that it is not known, where that lasts as long as its job',
      fresh,
      { kind: 'put_back', at: expiresAt },
      unknown('out_of_time'),
    ],
    [
      'is until when a tool may call back',
      fresh,
      { kind: 'handed', until: inMs(60_000) },
      { kind: 'again', at: inMs(60_000), attempts: 0, handed: true },
    ],
    [
      'is no time after its job',
      fresh,
      { kind: 'handed', until: inMs(30 * 86_400_000) },
      { kind: 'again', at: expiresAt, attempts: 0, handed: true },
    ],
    [
      'is a wait when nothing was said of it',
      fresh,
      undefined,
      { kind: 'again', at: inMs(5_000), attempts: 0, handed: false },
    ],
    [
      'is a longer wait each time',
      { claims: 3, attempts: 1 },
      undefined,
      { kind: 'again', at: inMs(20_000), attempts: 1, handed: false },
    ],
    [
      'is a wait of ten minutes at most',
      { claims: 19, attempts: 0 },
      undefined,
      { kind: 'again', at: inMs(600_000), attempts: 0, handed: false },
    ],
    [
      'is a failure when more was found out than is kept',
      fresh,
      { ...valid, detail: { text: 'x'.repeat(16_384) } },
      failed('answer_too_large'),
    ],
  ])('%s', (_what, item, outcome, expected) => {
    expect(getSettlement(item, outcome, times, outOfTime)).toEqual(expected);
  });

  it('keeps the failure reason of a tool that exceeded its time', () => {
    const lost = (): FinalOutcome => ({ kind: 'failed', reason: 'no_answer' });
    expect(getSettlement({ claims: 9, attempts: MAX_ATTEMPTS - 1 }, later(1), times, lost)).toEqual(
      failed('no_answer'),
    );
  });

  it('ends every item, for any answers of the provider and any worker crash', () => {
    const outcomes = fc.constantFrom<ItemOutcome['kind'] | 'died' | 'nothing'>('later', 'handed', 'died', 'nothing');
    fc.assert(
      fc.property(fc.array(outcomes, { minLength: 200, maxLength: 200 }), (said) => {
        let item: { claims: number; attempts: number; handed?: boolean } = { claims: 0, attempts: 0 };
        let at = createdAt;
        const over = said.some((kind) => {
          item = { ...item, claims: item.claims + 1 };
          const unasked = getEndWithoutRun(item, at, outOfTime);
          if (unasked) return true;
          if (kind === 'died') return false;
          const soon = new Date(at.getTime() + 1_000);
          const outcome: ItemOutcome | undefined =
            kind === 'later' ? { kind, at: soon, reason: 'x' } : kind === 'handed' ? { kind, until: soon } : undefined;
          const written = getSettlement(item, outcome, { now: at, createdAt, expiresAt }, outOfTime);
          if (written.kind === 'over') return true;
          expect(written.at.getTime()).toBeGreaterThan(at.getTime());
          at = written.at;
          item = { claims: item.claims, attempts: written.attempts, ...(written.handed && { handed: true }) };
          return false;
        });
        expect(over).toBe(true);
      }),
    );
  });

  it('never charges for an indecisive answer', () => {
    fc.assert(
      fc.property(fc.boolean(), fc.string(), (isDecisive, result) => {
        expect(toEndedItem({ ...valid, isDecisive, result }, now)).toMatchObject({ charged: isDecisive });
      }),
    );
  });
});
