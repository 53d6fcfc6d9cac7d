import { KeyIdRegistry } from './key-id.registry';
import { KeyRing } from './key-ring';

const A = Buffer.alloc(32, 1).toString('base64');
const B = Buffer.alloc(32, 2).toString('base64');
const marksOf = (keys: string) => new KeyIdRegistry(KeyRing.parse(keys));

describe('KeyIdRegistry', () => {
  it('has a mark for each key that does not depend on its place or its id, and says nothing of it', () => {
    const [first, second] = marksOf(`k2:${A},k1:${B}`).all();
    expect([first?.id, second?.id]).toEqual(['k2', 'k1']);
    expect(marksOf(`x:${B}`).all()[0]?.mark).toBe(second?.mark);
    expect(first?.mark).toMatch(/^[0-9a-f]{16}$/);
    expect(first?.mark).not.toBe(second?.mark);
  });

  it.each([
    ['has them all', `k3:${A},k1:${A}`, []],
    ['lacks one', `k3:${A}`, ['SECRET_KEYS has no key k1']],
    ['has another one of that id', `k1:${B}`, ['SECRET_KEYS has another key under the id k1']],
  ])('says what is wrong when an installation %s', (_what, keys, problems) => {
    expect(marksOf(keys).problems(marksOf(`k1:${A}`).all())).toEqual(problems);
  });
});
