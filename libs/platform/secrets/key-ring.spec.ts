import { inspect } from 'node:util';
import { KeyRing } from './key-ring';
import { KeyRingError } from './secrets.errors';

const A = Buffer.alloc(32, 0xfb).toString('base64');
const B = Buffer.alloc(32, 2).toString('base64');

function problemsOf(text: string): readonly string[] {
  try {
    KeyRing.parse(text);
  } catch (error) {
    if (error instanceof KeyRingError) return error.problems;
    throw error;
  }
  return [];
}

describe('KeyRing', () => {
  it('uses the first key as the current one and stores the others', () => {
    const ring = KeyRing.parse(`k2:${A}, k1:${B}`);
    expect(ring.currentId).toBe('k2');
    expect([ring.has('k2'), ring.has('k1'), ring.has('k0')]).toEqual([true, true, false]);
  });

  it('accepts base64url and missing padding as the same key', () => {
    const urlSafe = Buffer.alloc(32, 0xfb).toString('base64url');
    expect(KeyRing.parse(`k:${urlSafe}`).subkey('k', 'p')).toEqual(KeyRing.parse(`k:${A}`).subkey('k', 'p'));
  });

  it.each([
    ['', ['entry 1: is empty']],
    [`k1:${A},`, ['entry 2: is empty']],
    [A, ['entry 1: has no id, expected id:base64']],
    [`K1:${A}`, ['entry 1: has an id that is not 1 to 16 of a-z, 0-9 and -']],
    [`:${A}`, ['entry 1: has an id that is not 1 to 16 of a-z, 0-9 and -']],
    [`${'k'.repeat(17)}:${A}`, ['entry 1: has an id that is not 1 to 16 of a-z, 0-9 and -']],
    ['k1:', ['entry 1: key k1 is not base64']],
    ['k1:not base64!', ['entry 1: key k1 is not base64']],
    [`k1:${Buffer.alloc(31).toString('base64')}`, ['entry 1: key k1 has 31 bytes instead of 32']],
    [`k1:${Buffer.alloc(33).toString('base64')}`, ['entry 1: key k1 has 33 bytes instead of 32']],
    [`k1:${A},k1:${B}`, ['entry 2: id k1 is used twice']],
    [
      `k1:abcd,k_2:${B},`,
      [
        'entry 1: key k1 has 3 bytes instead of 32',
        'entry 2: has an id that is not 1 to 16 of a-z, 0-9 and -',
        'entry 3: is empty',
      ],
    ],
  ])('rejects %j with all problems', (text, problems) => {
    expect(problemsOf(text)).toEqual(problems);
  });

  it('never echoes key material, even when key and id are swapped', () => {
    const broken = `${A}:k1,k2:${A}${A},${B}`;
    expect(() => KeyRing.parse(broken)).toThrow(KeyRingError);
    for (const problem of problemsOf(broken)) for (const key of [A, B]) expect(problem).not.toContain(key.slice(0, 8));
  });

  it('shows no key in a log line', () => {
    const ring = KeyRing.parse(`k1:${A}`);
    ring.subkey('k1', 'p');
    expect(inspect(ring, { depth: 9, showHidden: true }) + JSON.stringify(ring)).not.toMatch(/fb.?fb|251|Buffer/i);
  });

  it('derives the same subkey for the same purpose, and unrelated ones otherwise', () => {
    const ring = KeyRing.parse(`k2:${A},k1:${B}`);
    const subkeys = [
      ring.subkey('k2', 'seal'),
      ring.subkey('k2', 'sign'),
      ring.subkey('k1', 'seal'),
      ring.subkey('k1', 'sign'),
    ];
    expect(new Set(subkeys.map((key) => key?.toString('hex'))).size).toBe(4);
    expect(ring.subkey('k2', 'seal')).toEqual(KeyRing.parse(`x:${B},k2:${A}`).subkey('k2', 'seal'));
    expect(subkeys.every((key) => key?.length === 32)).toBe(true);
  });

  it('derives the subkey by HKDF-SHA-256 with an empty salt', () => {
    // Python: hkdf(b'\x02' * 32, salt=b'', info=b'outreach secret-box v1'); a change here makes all stored secrets unreadable.
    const subkey = KeyRing.parse(`k1:${B}`).subkey('k1', 'outreach secret-box v1');
    expect(subkey?.toString('hex')).toBe('92ad5ae3ec74c8931749f19668eba422ff554af107968ca48d88ae155b21b5a5');
  });

  it('derives correct subkeys beyond the size of its cache', () => {
    const ring = KeyRing.parse(`k1:${A}`);
    const first = ring.subkey('k1', 'purpose 0')?.toString('hex');
    for (let i = 1; i < 600; i++) ring.subkey('k1', `purpose ${i}`);
    expect(ring.subkey('k1', 'purpose 0')?.toString('hex')).toBe(first);
  });

  it('has no subkey for an unknown key', () => {
    expect(KeyRing.parse(`k1:${A}`).subkey('k2', 'seal')).toBeNull();
  });
});
