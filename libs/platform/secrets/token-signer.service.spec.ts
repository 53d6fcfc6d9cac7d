import { randomBytes } from 'node:crypto';
import fc from 'fast-check';
import { KeyRing } from './key-ring';
import { SecretBoxService } from './secret-box.service';
import { TokenSignerService } from './token-signer.service';

const K1 = `k1:${Buffer.alloc(32, 1).toString('base64')}`;
const K2 = `k2-longest-id-16:${Buffer.alloc(32, 2).toString('base64')}`;

const signerOf = (...keys: string[]): TokenSignerService => new TokenSignerService(KeyRing.parse(keys.join(',')));
const purposes = fc.string({ minLength: 1, unit: 'binary' });
const payloads = fc.uint8Array({ maxLength: 200 }).map((bytes) => Buffer.from(bytes));

describe('TokenSignerService', () => {
  const signer = signerOf(K1);

  it('returns any payload, bytes or text, for the same purpose', () => {
    fc.assert(
      fc.property(purposes, payloads, (purpose, payload) => {
        expect(signer.verify(purpose, signer.sign(purpose, payload))).toEqual(payload);
      }),
    );
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        expect(signer.verify('p', signer.sign('p', text))?.toString('utf8')).toBe(text);
      }),
    );
  });

  it('creates URL-safe tokens of minimal length', () => {
    fc.assert(
      fc.property(payloads, (payload) => {
        const token = signer.sign('click', payload);
        expect(token).toMatch(/^[\w-]+$/);
        expect(token.length).toBe(Math.ceil(((payload.length + 'k1'.length + 17) * 4) / 3));
      }),
    );
  });

  it('creates the same token for the same payload, so that it can serve as an address', () => {
    expect(signer.sign('click', 'send 1')).toBe(signer.sign('click', 'send 1'));
  });

  it('rejects a token for another purpose', () => {
    fc.assert(
      fc.property(purposes, purposes, payloads, (purpose, other, payload) => {
        fc.pre(purpose !== other);
        expect(signer.verify(other, signer.sign(purpose, payload))).toBeNull();
      }),
    );
  });

  it('rejects a token with any flipped bit, in its bytes or its text', () => {
    const token = signer.sign('click', randomBytes(12));
    for (const encoding of ['base64url', 'latin1'] as const) {
      const original = Buffer.from(token, encoding);
      for (let bit = 0; bit < original.length * 8; bit++) {
        const flipped = Buffer.from(original);
        flipped.writeUInt8(flipped.readUInt8(bit >> 3) ^ (1 << (bit & 7)), bit >> 3);
        expect(signer.verify('click', flipped.toString(encoding))).toBeNull();
      }
    }
  });

  it('rejects a token whose bytes move between payload, key id and tag, or are missing', () => {
    const token = Buffer.from(signer.sign('click', 'abcdefgh'), 'base64url');
    for (let length = 0; length < token.length; length++) {
      expect(signer.verify('click', token.toString('base64url', 0, length))).toBeNull();
      expect(signer.verify('click', token.toString('base64url', token.length - length))).toBeNull();
    }
  });

  it('returns null for any foreign text and never throws', () => {
    fc.assert(fc.property(fc.string({ unit: 'binary' }), (text) => signer.verify('click', text) === null));
    fc.assert(fc.property(payloads, (bytes) => signer.verify('click', bytes.toString('base64url')) === null));
  });

  it('rejects another spelling of a valid token', () => {
    const token = signer.sign('click', 'x');
    for (const respelt of [`${token}=`, ` ${token}`, `${token}\n`, `${token}.`]) {
      expect(signer.verify('click', respelt)).toBeNull();
    }
  });

  it('verifies with each key of the ring, and with no other', () => {
    fc.assert(
      fc.property(payloads, (payload) => {
        const rotated = signerOf(K2, K1);
        expect(rotated.verify('click', signer.sign('click', payload))).toEqual(payload);
        expect(rotated.verify('click', rotated.sign('click', payload))).toEqual(payload);
        expect(signer.verify('click', rotated.sign('click', payload))).toBeNull();
        expect(
          signerOf(`k1:${Buffer.alloc(32, 9).toString('base64')}`).verify('click', signer.sign('click', payload)),
        ).toBeNull();
      }),
    );
  });

  it('shares no key with the secret box, for any purpose', () => {
    const ring = KeyRing.parse(K1);
    const asked: string[] = [];
    const original = ring.subkey.bind(ring);
    jest.spyOn(ring, 'subkey').mockImplementation((id, purpose) => (asked.push(purpose), original(id, purpose)));
    new SecretBoxService(ring).seal('x', 'owner');
    const boxPurpose = asked[0] ?? '';
    new TokenSignerService(ring).sign(boxPurpose, 'x');
    expect(new Set(asked).size).toBe(asked.length);
  });

  it('rejects an empty purpose', () => {
    expect(() => signer.sign('', 'x')).toThrow(TypeError);
  });

  it('verifies a token in the format and with the key of 2026-11-21', () => {
    expect(signer.verify('unsubscribe', 'EWsxbGVhZCA3LCBjYW1wYWlnbiA5kok6amXt13_I3cdYHOqZ-A')?.toString()).toBe(
      'lead 7, campaign 9',
    );
  });
});
