import { type LeadVerificationPolicy } from '@domain/campaigns';
import { decideAction } from './unverified-lead';

const POLICY: LeadVerificationPolicy = {
  mode: 'on',
  invalid: 'remove',
  risky: 'hold',
  catchAll: 'send',
  unknown: 'hold',
  noCredits: 'send',
};

it.each([
  ['valid', 'send'],
  ['invalid', 'remove'],
  ['risky', 'hold'],
  ['catch_all', 'send'],
  ['unknown', 'hold'],
  ['something that is to come', 'hold'],
  [null, 'send'],
])('of a lead whose address is %s the policy makes: %s', (result, deed) => {
  expect(decideAction(POLICY, result)).toBe(deed);
});

it('writes to a valid address whatever the policy says', () => {
  const strict = { ...POLICY, invalid: 'hold', catchAll: 'remove', noCredits: 'hold' } as const;
  expect(decideAction(strict, 'valid')).toBe('send');
});
