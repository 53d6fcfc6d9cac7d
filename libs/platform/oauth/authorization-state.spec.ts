import { createHash } from 'node:crypto';
import { consentSecrets, getStateHash } from './authorization-state';

describe('the state parameter of a consent page', () => {
  it('is another one each time, of 256 bits in characters that a URL takes', () => {
    const all = Array.from({ length: 50 }, consentSecrets).flatMap(({ state, verifier }) => [state, verifier]);
    expect(new Set(all).size).toBe(all.length);
    for (const secret of all) expect(secret).toMatch(/^[\w-]{43}$/);
  });

  it('has the challenge that a vendor computes from the verifier', () => {
    const { verifier, challenge } = consentSecrets();
    expect(challenge).toBe(createHash('sha256').update(verifier, 'ascii').digest('base64url'));
  });

  it('is found by its hash, which is the same for the same state only', () => {
    expect(getStateHash('one')).toBe(getStateHash('one'));
    expect(getStateHash('one')).not.toBe(getStateHash('two'));
    expect(getStateHash('one')).toMatch(/^[\da-f]{64}$/);
  });
});
