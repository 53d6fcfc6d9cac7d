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
  ['a future result', 'hold'],
  [null, 'send'],
])('a lead whose address is %s gets the action of the policy: %s', (result, deed) => {
  expect(decideAction(POLICY, result)).toBe(deed);
});

it('a lead with a valid address is contacted under every policy', () => {
  const strict = { ...POLICY, invalid: 'hold', catchAll: 'remove', noCredits: 'hold' } as const;
  expect(decideAction(strict, 'valid')).toBe('send');
});
