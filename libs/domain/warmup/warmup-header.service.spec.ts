import { KeyRing, TokenSignerService } from '@platform/secrets';
import fc from 'fast-check';
import { WARMUP_HEADER, WarmupHeaderService } from './warmup-header.service';

const keyOf = (id: string, byte: number) => `${id}:${Buffer.alloc(32, byte).toString('base64')}`;
const signerOf = (...keys: string[]) => new TokenSignerService(KeyRing.parse(keys.join(',')));
const headerOf = (...keys: string[]) => new WarmupHeaderService(signerOf(...keys));

const OLD = keyOf('k1', 1);
const NEW = keyOf('the-longest-id16', 2);
const header = headerOf(OLD);
const MAIL = '65f0c0ffee65f0c0ffee0001';
const ENDS = { from: 'ann@acme.test', to: 'bob@globex.test' };
const ids = fc.uint8Array({ minLength: 12, maxLength: 12 }).map((bytes) => Buffer.from(bytes).toString('hex'));

describe('the header of warmup mail', () => {
  it('returns the id of the mail and fits in one short header line', () => {
    fc.assert(
      fc.property(ids, fc.emailAddress(), fc.emailAddress(), (id, from, to) => {
        expect(header.verify(header.sign(id, { from, to }), { from, to })).toBe(id);
        expect(header.findMailId(header.sign(id, { from, to }))).toBe(id);
      }),
    );
    expect(`${WARMUP_HEADER}: ${header.sign(MAIL, ENDS)}`).toMatch(/^[A-Z][\w-]+: [\w-]{52}$/);
  });

  it('is valid for one pair of mailboxes only, in any spelling of their addresses', () => {
    const value = header.sign(MAIL, ENDS);
    expect(header.verify(value, { from: 'Ann@Acme.test', to: 'BOB@globex.test' })).toBe(MAIL);
    for (const ends of [
      { ...ENDS, from: 'eve@acme.test' },
      { ...ENDS, to: 'eve@globex.test' },
      { from: ENDS.to, to: ENDS.from },
    ]) {
      expect(header.verify(value, ends)).toBeNull();
    }
    expect(header.findMailId(value)).toBe(MAIL);
  });

  it('reveals nothing about warmup and shares no pattern with other headers', () => {
    expect(WARMUP_HEADER).not.toMatch(/warm/i);
    const day = Array.from({ length: 200 }, (_, index) => `65f0c0ff${index.toString(16).padStart(16, '0')}`);
    const values = day.map((id) => header.sign(id, ENDS));
    for (let at = 0; at < values[0]!.length; at += 1) {
      const counts = Map.groupBy(values, (value) => value[at]);
      // Of 64 characters, each occurs about three times in 200 by chance.
      expect(Math.max(...[...counts.values()].map(({ length }) => length))).toBeLessThan(20);
    }
  });

  it('is valid after any folding by the servers on the route', () => {
    const value = header.sign(MAIL, ENDS);
    expect(header.verify(`  ${value.slice(0, 20)}\r\n\t${value.slice(20)} `, ENDS)).toBe(MAIL);
  });

  it('is invalid when one character is changed or missing', () => {
    const value = header.sign(MAIL, ENDS);
    for (let at = 0; at < value.length; at += 1) {
      for (const char of 'Az0_-') {
        if (char !== value[at]) expect(header.findMailId(value.slice(0, at) + char + value.slice(at + 1))).toBeNull();
      }
      expect(header.findMailId(value.slice(0, at))).toBeNull();
    }
    expect(header.findMailId(`${value}A`)).toBeNull();
  });

  it('is invalid when another installation signed it, or this one for another purpose', () => {
    expect(header.verify(headerOf(keyOf('k1', 9)).sign(MAIL, ENDS), ENDS)).toBeNull();
    expect(header.findMailId(signerOf(OLD).sign('warmup-mail', Buffer.from(MAIL, 'hex')))).toBeNull();
    expect(header.findMailId('A'.repeat(1_000_000))).toBeNull();
    expect(header.findMailId('')).toBeNull();
  });

  it('remains valid after a key rotation while the old key is kept', () => {
    const value = header.sign(MAIL, ENDS);
    const rotated = headerOf(NEW, OLD);
    expect(rotated.verify(value, ENDS)).toBe(MAIL);
    expect(rotated.verify(rotated.sign(MAIL, ENDS), ENDS)).toBe(MAIL);
    expect(rotated.sign(MAIL, ENDS)).not.toBe(value);
    expect(header.verify(rotated.sign(MAIL, ENDS), ENDS)).toBeNull();
    expect(headerOf(NEW).verify(value, ENDS)).toBeNull();
  });

  it('is not created for an invalid id', () => {
    for (const id of ['', '65f0', MAIL.toUpperCase(), `${MAIL}00`]) {
      expect(() => header.sign(id, ENDS)).toThrow(TypeError);
    }
  });
});
