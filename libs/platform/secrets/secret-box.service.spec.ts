import fc from 'fast-check';
import { toFailure } from '@platform/errors';
import { KeyRing } from './key-ring';
import { SecretBoxService } from './secret-box.service';
import { SecretOpenError, type SecretOpenReason } from './secrets.errors';

const K1 = `k1:${Buffer.alloc(32, 1).toString('base64')}`;
const K2 = `k2:${Buffer.alloc(32, 2).toString('base64')}`;
const OWNER = 'workspace/mailbox/smtpPassword';

const boxOf = (...keys: string[]): SecretBoxService => new SecretBoxService(KeyRing.parse(keys.join(',')));
const unicode = fc.string({ unit: 'binary' });
const owners = fc.string({ unit: 'binary', minLength: 1 });

function refusalOf(box: SecretBoxService, sealed: string, owner = OWNER): SecretOpenReason | 'opened' {
  try {
    box.open(sealed, owner);
    return 'opened';
  } catch (error) {
    if (error instanceof SecretOpenError) return error.reason;
    throw error;
  }
}

describe('SecretBoxService', () => {
  const box = boxOf(K1);

  it('opens any text exactly as sealed, for the same owner', () => {
    fc.assert(fc.property(unicode, owners, (text, owner) => box.open(box.seal(text, owner), owner) === text));
  });

  it('writes v1, the key id, a 96-bit IV and the ciphertext with its tag', () => {
    expect(box.seal('', OWNER)).toMatch(/^v1\.k1\.[\w-]{16}\.[\w-]{22}$/);
    expect(box.seal('hunter2', OWNER)).not.toContain('hunter2');
  });

  it('never seals the same text to the same value', () => {
    const seals = Array.from({ length: 100 }, () => box.seal('same', OWNER));
    expect(new Set(seals).size).toBe(100);
  });

  it('rejects any other owner', () => {
    fc.assert(
      fc.property(unicode, owners, owners, (text, owner, other) => {
        fc.pre(owner !== other);
        return refusalOf(box, box.seal(text, owner), other) === 'refused';
      }),
    );
    expect(refusalOf(box, box.seal('x', OWNER), '')).toBe('refused');
  });

  it('rejects a value with any flipped bit', () => {
    const sealed = Buffer.from(box.seal('smtp password', OWNER), 'latin1');
    for (let bit = 0; bit < sealed.length * 8; bit++) {
      const flipped = Buffer.from(sealed);
      flipped.writeUInt8(flipped.readUInt8(bit >> 3) ^ (1 << (bit & 7)), bit >> 3);
      expect(refusalOf(box, flipped.toString('latin1'))).not.toBe('opened');
    }
  });

  it('rejects a value under the id of another key of the ring', () => {
    const both = boxOf(K1, `k2:${Buffer.alloc(32, 1).toString('base64')}`);
    expect(refusalOf(both, both.seal('x', OWNER).replace('.k1.', '.k2.'))).toBe('refused');
  });

  it.each([
    '',
    'v1',
    'v1.k1',
    'v1.k1.AAAAAAAAAAAAAAAA',
    'v1.k1.AAAAAAAAAAAAAAAA.',
    'v1.k1.AAAAAAAAAAAAAAAA.AAAA',
    'v1.k1.AAAA.AAAAAAAAAAAAAAAAAAAAAA',
    'v1..AAAAAAAAAAAAAAAA.AAAAAAAAAAAAAAAAAAAAAA',
    'v2.k1.AAAAAAAAAAAAAAAA.AAAAAAAAAAAAAAAAAAAAAA',
    'v1.k1.AAAAAAAAAAAAAAAA.AAAAAAAAAAAAAAAAAAAAAA.x',
    'v1.k1.AAAAAAAAAAAAAAAA.AAAAAAAAAAAAAAAAAAAAAA=',
    'v1.k1.++++++++++++++++.AAAAAAAAAAAAAAAAAAAAAA',
    'v1.k1.AAAAAAAAAAAAAAAA. AAAAAAAAAAAAAAAAAAAAAA',
    'v1.k1.AAAAAAAAAAAAAAAA.AAAAAAAAAAAAAAAAAAAAAB',
  ])('rejects %j as malformed', (sealed) => {
    expect(refusalOf(box, sealed)).toBe('malformed');
    expect(box.isCurrent(sealed)).toBe(false);
  });

  it('rejects arbitrary text with the same error', () => {
    fc.assert(fc.property(unicode, (text) => refusalOf(box, text) !== 'opened'));
  });

  it('reports the kind of failure and the required action without any content', () => {
    const sealed = box.seal('hunter2', OWNER);
    expect(refusalOf(boxOf(K2), sealed)).toBe('unknown_key');
    for (const [other, owner] of [
      [boxOf(K2), OWNER],
      [box, 'someone else'],
    ] as const) {
      const error: unknown = (() => {
        try {
          return other.open(sealed, owner);
        } catch (thrown) {
          return thrown;
        }
      })();
      expect(error).toBeInstanceOf(SecretOpenError);
      expect(toFailure(error)).toBe('needs-human');
      expect(String(error) + JSON.stringify(error)).not.toMatch(/hunter2|v1\.|workspace|someone/);
    }
  });

  it('does not seal without an owner, or text that would change', () => {
    expect(() => box.seal('x', '')).toThrow(TypeError);
    expect(() => box.seal('lone surrogate \ud800', OWNER)).toThrow(TypeError);
    expect(() => box.seal('x', '\udfff')).toThrow(TypeError);
  });

  it('opens a value in the format and with the key of 2026-11-21', () => {
    const stored = 'v1.k1.AAECAwQFBgcICQoL.XMjstp58piYWD-A8_oEa1uX8coXX2fV6kYAaxkE';
    expect(box.open(stored, OWNER)).toBe('pässword ✓');
  });

  describe('after a key rotation', () => {
    const rotated = boxOf(K2, K1);

    it('opens values of the old key and reports them as not current', () => {
      fc.assert(
        fc.property(unicode, owners, (text, owner) => {
          const old = box.seal(text, owner);
          const fresh = rotated.reseal(old, owner);
          expect([rotated.open(old, owner), rotated.isCurrent(old)]).toEqual([text, false]);
          expect([rotated.open(fresh, owner), rotated.isCurrent(fresh)]).toEqual([text, true]);
          expect(boxOf(K2).open(fresh, owner)).toBe(text);
        }),
      );
    });

    it('does not reseal for another owner', () => {
      expect(() => rotated.reseal(box.seal('x', OWNER), 'other')).toThrow(SecretOpenError);
    });

    it('cannot open values of a removed key', () => {
      expect(refusalOf(boxOf(K2), box.seal('x', OWNER))).toBe('unknown_key');
    });
  });
});
