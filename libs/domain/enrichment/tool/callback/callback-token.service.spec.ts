import fc from 'fast-check';
import { KeyRing, TokenSignerService } from '@platform/secrets';
import { CallbackTokenService } from './callback-token.service';

const signerOf = (byte: number) =>
  new TokenSignerService(KeyRing.parse(`k1:${Buffer.alloc(32, byte).toString('base64')}`));
const CONFIG = { publicUrl: 'https://outreach.example.com' } as never;
const tokens = new CallbackTokenService(signerOf(1), CONFIG);
const NOW = new Date('2026-11-25T12:00:00.000Z');
const UNTIL = new Date('2026-11-26T12:00:00.000Z');
const ITEM = {
  workspaceId: '65f0c0ffee65f0c0ffee0001',
  jobId: '65f0c0ffee65f0c0ffee0002',
  itemId: '65f0c0ffee65f0c0ffee0003',
};
const ids = fc.uint8Array({ minLength: 12, maxLength: 12 }).map((bytes) => Buffer.from(bytes).toString('hex'));

describe('the callback token of a tool', () => {
  it('identifies the item until its expiry, to the millisecond', () => {
    const item = fc.record({ workspaceId: ids, jobId: ids, itemId: ids });
    fc.assert(
      fc.property(item, fc.date({ min: NOW, max: new Date('2100-01-01'), noInvalidDate: true }), (named, until) => {
        const token = tokens.issue(named, until);
        expect(tokens.read(token, new Date(until.getTime() - 1))).toEqual(named);
        expect(tokens.read(token, until)).toBeNull();
      }),
    );
  });

  it('is safe in a URL and stable for an item', () => {
    expect(tokens.issue(ITEM, UNTIL)).toMatch(/^[\w-]{80,110}$/);
    expect(tokens.issue(ITEM, UNTIL)).toBe(tokens.issue(ITEM, UNTIL));
  });

  it('is invalid when it was altered, signed by another key or for another purpose, or invented', () => {
    const token = tokens.issue(ITEM, UNTIL);
    fc.assert(
      fc.property(fc.nat(token.length - 1), fc.constantFrom('A', 'z', '_', '='), (at, char) => {
        const altered = token.slice(0, at) + char + token.slice(at + 1);
        fc.pre(altered !== token);
        expect(tokens.read(altered, NOW)).toBeNull();
      }),
    );
    fc.assert(fc.property(fc.string(), (invented) => expect(tokens.read(invented, NOW)).toBeNull()));
    expect(new CallbackTokenService(signerOf(2), CONFIG).read(token, NOW)).toBeNull();
    const payload = signerOf(1).verify('enrichment-callback', token)!;
    expect(tokens.read(signerOf(1).sign('unsubscribe', payload), NOW)).toBeNull();
    expect(tokens.read(signerOf(1).sign('enrichment-callback', payload.subarray(1)), NOW)).toBeNull();
    expect(tokens.read(`${token}${'A'.repeat(200)}`, NOW)).toBeNull();
  });

  it('is created for ids only', () => {
    expect(() => tokens.issue({ ...ITEM, jobId: 'x' }, UNTIL)).toThrow(TypeError);
  });
});
