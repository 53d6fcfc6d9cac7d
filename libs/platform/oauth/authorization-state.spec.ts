import { createHash } from 'node:crypto';
import { consentSecrets, getStateHash } from './authorization-state';

describe('the state parameter of a consent page', () => {
  it('is different each time, with 256 bits in URL-safe characters', () => {
    const all = Array.from({ length: 50 }, consentSecrets).flatMap(({ state, verifier }) => [state, verifier]);
    expect(new Set(all).size).toBe(all.length);
    for (const secret of all) expect(secret).toMatch(/^[\w-]{43}$/);
  });

  it('contains the challenge that a vendor computes from the verifier', () => {
    const { verifier, challenge } = consentSecrets();
    expect(challenge).toBe(createHash('sha256').update(verifier, 'ascii').digest('base64url'));
  });

  it('is found by its hash, which is unique to the state', () => {
    expect(getStateHash('one')).toBe(getStateHash('one'));
    expect(getStateHash('one')).not.toBe(getStateHash('two'));
    expect(getStateHash('one')).toMatch(/^[\da-f]{64}$/);
  });
});
