import { KeyRing, TokenSigner } from '@platform/secrets';
import fc from 'fast-check';
import { WARMUP_HEADER, WarmupHeader } from './warmup.header';

const keyOf = (id: string, byte: number) => `${id}:${Buffer.alloc(32, byte).toString('base64')}`;
const signerOf = (...keys: string[]) => new TokenSigner(KeyRing.parse(keys.join(',')));
const headerOf = (...keys: string[]) => new WarmupHeader(signerOf(...keys));

const OLD = keyOf('k1', 1);
const NEW = keyOf('k2', 2);
const header = headerOf(OLD);
const MAIL = '65f0c0ffee65f0c0ffee0001';
const ids = fc.uint8Array({ minLength: 12, maxLength: 12 }).map((bytes) => Buffer.from(bytes).toString('hex'));

describe('the header of warmup mail', () => {
  it('gives the id of the mail back, and is one short line of a header', () => {
    fc.assert(
      fc.property(ids, (id) => {
        expect(header.verify(header.sign(id))).toBe(id);
      }),
    );
    expect(`${WARMUP_HEADER}: ${header.sign(MAIL)}`).toMatch(/^[A-Z][\w-]+: [\w-]{42,44}$/);
  });

  it('is the same however the servers on the way folded it', () => {
    const value = header.sign(MAIL);
    expect(header.verify(`  ${value.slice(0, 20)}\r\n\t${value.slice(20)} `)).toBe(MAIL);
  });

  it('is nothing when a single character of it was altered or it was cut', () => {
    const value = header.sign(MAIL);
    for (let at = 0; at < value.length; at += 1) {
      for (const char of 'Az0_-') {
        if (char !== value[at]) expect(header.verify(value.slice(0, at) + char + value.slice(at + 1))).toBeNull();
      }
      expect(header.verify(value.slice(0, at))).toBeNull();
    }
    expect(header.verify(`${value}A`)).toBeNull();
  });

  it('is nothing when another installation signed it, or this one for another purpose', () => {
    expect(header.verify(headerOf(keyOf('k1', 9)).sign(MAIL))).toBeNull();
    expect(header.verify(signerOf(OLD).sign('track-open', Buffer.from(MAIL, 'hex')))).toBeNull();
    expect(header.verify(signerOf(OLD).sign('warmup-mail', Buffer.alloc(13)))).toBeNull();
    expect(header.verify('A'.repeat(1_000_000))).toBeNull();
    expect(header.verify('')).toBeNull();
  });

  it('outlives a rotation of the key as long as the old one is kept', () => {
    const value = header.sign(MAIL);
    const rotated = headerOf(NEW, OLD);
    expect(rotated.verify(value)).toBe(MAIL);
    expect(rotated.sign(MAIL)).not.toBe(value);
    expect(header.verify(rotated.sign(MAIL))).toBeNull();
    expect(headerOf(NEW).verify(value)).toBeNull();
  });

  it('is not signed for what is no id', () => {
    for (const id of ['', '65f0', MAIL.toUpperCase(), `${MAIL}00`]) expect(() => header.sign(id)).toThrow(TypeError);
  });
});
