import { type LeadVerificationPolicy } from '@domain/campaigns';
import { type UnverifiedLead } from '@domain/leads';
import { Types } from 'mongoose';
import { type Verification } from '../verdict';
import { MAX_ATTEMPTS, decideLeadOutcome, decideFailureOutcome, toUnpaidLead } from './lead-verdict';

const NOW = new Date('2026-11-22T10:00:00Z');
const SOON = new Date('2026-11-22T10:05:00Z');
const POLICY: LeadVerificationPolicy = {
  mode: 'on',
  invalid: 'remove',
  risky: 'hold',
  catchAll: 'hold',
  unknown: 'hold',
  noCredits: 'send',
};

function held(attempts: number): UnverifiedLead {
  const verification = { result: null, reasons: [], checkedAt: null, attempts, nextAt: NOW };
  return { _id: new Types.ObjectId(), email: 'ada@firm.example', verification };
}
const found = (of: Partial<Verification>): Verification => ({
  email: 'ada@firm.example',
  address: 'ada@firm.example',
  result: 'unknown',
  reasons: ['greylisted'],
  isDisposable: false,
  isRole: false,
  isFree: false,
  mxHost: null,
  suggestion: null,
  retryAt: null,
  isUnasked: false,
  checkedAt: NOW,
  ...of,
});

it.each([
  ['valid', 'send', true],
  ['invalid', 'remove', true],
  ['risky', 'hold', true],
  ['catch_all', 'hold', true],
  ['unknown', 'hold', false],
] as const)('decides %s: %s, charged: %s', (result, deed, isDecisive) => {
  const lead = held(0);
  const verified = { lead, result, reasons: ['greylisted'], checkedAt: NOW, action: deed };
  expect(decideLeadOutcome(lead, found({ result }), POLICY)).toEqual({ kind: 'verified', verified, isDecisive });
});

it('retries a verification that may still get an answer, up to a limit', () => {
  const again = found({ retryAt: SOON });
  for (let attempts = 0; attempts < MAX_ATTEMPTS - 1; attempts += 1) {
    const lead = held(attempts);
    expect(decideLeadOutcome(lead, again, POLICY)).toEqual({ kind: 'later', lead, at: SOON, reasons: ['greylisted'] });
  }
  expect(decideLeadOutcome(held(MAX_ATTEMPTS - 1), again, POLICY)).toMatchObject({
    kind: 'verified',
    verified: { action: 'hold' },
  });
});

it('records missing credits, and no result, for a lead that continues unverified', () => {
  const lead = held(0);
  const verified = { lead, result: null, reasons: ['no_credits'], checkedAt: null, action: 'send' };
  expect(toUnpaidLead(lead, POLICY)).toEqual(verified);
});

it('retries a lead whose verification failed, and then decides that its address is unknown', () => {
  const times = { now: NOW, again: SOON };
  const reasons = ['verification_failed'];
  const lead = held(0);
  expect(decideFailureOutcome(lead, times, POLICY)).toEqual({ kind: 'later', lead, at: SOON, reasons });
  const last = held(MAX_ATTEMPTS - 1);
  expect(decideFailureOutcome(last, times, { ...POLICY, invalid: 'remove' })).toEqual({
    kind: 'verified',
    verified: { lead: last, result: 'unknown', reasons, checkedAt: NOW, action: 'hold' },
    isDecisive: false,
  });
});
