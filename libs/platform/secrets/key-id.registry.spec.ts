import { KeyIdRegistry } from './key-id.registry';
import { KeyRing } from './key-ring';

const A = Buffer.alloc(32, 1).toString('base64');
const B = Buffer.alloc(32, 2).toString('base64');
const marksOf = (keys: string) => new KeyIdRegistry(KeyRing.parse(keys));

describe('KeyIdRegistry', () => {
  it('has a fingerprint per key that depends on neither position nor id and reveals nothing', () => {
    const [first, second] = marksOf(`k2:${A},k1:${B}`).all();
    expect([first?.id, second?.id]).toEqual(['k2', 'k1']);
    expect(marksOf(`x:${B}`).all()[0]?.mark).toBe(second?.mark);
    expect(first?.mark).toMatch(/^[0-9a-f]{16}$/);
    expect(first?.mark).not.toBe(second?.mark);
  });

  it.each([
    ['has all keys', `k3:${A},k1:${A}`, []],
    ['lacks a key', `k3:${A}`, ['SECRET_KEYS has no key k1']],
    ['has another key with the same id', `k1:${B}`, ['SECRET_KEYS has another key under the id k1']],
  ])('reports the problems of an installation that %s', (_what, keys, problems) => {
    expect(marksOf(keys).problems(marksOf(`k1:${A}`).all())).toEqual(problems);
  });
});
