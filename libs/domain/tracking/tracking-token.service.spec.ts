import fc from 'fast-check';
import { KeyRing, TokenSignerService } from '@platform/secrets';
import { PIXEL_EXTENSION, TRACKING_PATHS, TrackingUrls } from './tracking-urls';
import { type TrackingKind, TrackingTokenService } from './tracking-token.service';

const signerOf = (byte: number) =>
  new TokenSignerService(KeyRing.parse(`k1:${Buffer.alloc(32, byte).toString('base64')}`));
const tokensOf = (byte: number) => new TrackingTokenService(signerOf(byte));
const tokens = tokensOf(1);

const SEND = '65f0c0ffee65f0c0ffee0001';
const sendIds = fc.uint8Array({ minLength: 12, maxLength: 12 }).map((bytes) => Buffer.from(bytes).toString('hex'));
const KINDS: TrackingKind[] = ['open', 'click', 'honeypot', 'unsubscribe'];
const make = (kind: TrackingKind, sendId: string) =>
  kind === 'click' ? tokens.click(sendId, 7) : tokens[kind](sendId);

describe('TrackingTokenService', () => {
  it('returns the send and the link of a signed token', () => {
    fc.assert(
      fc.property(sendIds, fc.nat(255), (sendId, link) => {
        expect(tokens.read('click', tokens.click(sendId, link))).toEqual({ sendId, link });
        expect(tokens.read('open', tokens.open(sendId))).toEqual({ sendId });
        expect(tokens.read('honeypot', tokens.honeypot(sendId))).toEqual({ sendId });
        expect(tokens.read('unsubscribe', tokens.unsubscribe(sendId))).toEqual({ sendId });
      }),
    );
  });

  it.each(KINDS)('accepts a token for %s for no other kind', (kind) => {
    for (const other of KINDS) expect(tokens.read(other, make(kind, SEND)) === null).toBe(other !== kind);
  });

  it('creates short tokens that are safe in a URL', () => {
    for (const kind of KINDS) expect(make(kind, SEND)).toMatch(/^[\w-]{42,44}$/);
  });

  it('rejects altered, truncated, foreign and invented tokens', () => {
    const token = tokens.click(SEND, 3);
    fc.assert(
      fc.property(fc.nat(token.length - 1), fc.constantFrom('A', 'z', '_', '='), (at, char) => {
        const altered = token.slice(0, at) + char + token.slice(at + 1);
        if (altered !== token) expect(tokens.read('click', altered)).toBeNull();
        expect(tokens.read('click', token.slice(0, at))).toBeNull();
      }),
    );
    expect(tokens.read('click', tokensOf(2).click(SEND, 3))).toBeNull();
    expect(tokens.read('click', 'A'.repeat(1_000_000))).toBeNull();
    expect(tokens.read('click', '')).toBeNull();
  });

  it('rejects a payload with the wrong length for its kind', () => {
    for (const length of [0, 11, 13, 14]) {
      expect(tokens.read('open', signerOf(1).sign('track-open', Buffer.alloc(length)))).toBeNull();
    }
    for (const length of [12, 14]) {
      expect(tokens.read('click', signerOf(1).sign('track-click', Buffer.alloc(length)))).toBeNull();
    }
  });

  it('does not sign values that it could not read', () => {
    expect(() => tokens.open('65f0')).toThrow(TypeError);
    expect(() => tokens.open(SEND.toUpperCase())).toThrow(TypeError);
    for (const link of [-1, 256, 0.5]) expect(() => tokens.click(SEND, link)).toThrow(TypeError);
  });
});

describe('TrackingUrls', () => {
  it('creates short URLs below the public address', () => {
    const urls = new TrackingUrls(tokens, 'https://mail.sender.test/');
    expect(urls.open(SEND)).toBe(`https://mail.sender.test/t/o/${tokens.open(SEND)}.gif`);
    expect(urls.click(SEND, 2)).toBe(`https://mail.sender.test/t/c/${tokens.click(SEND, 2)}`);
    expect(urls.honeypot(SEND)).toBe(`https://mail.sender.test/t/h/${tokens.honeypot(SEND)}`);
    expect(urls.unsubscribe(SEND)).toBe(`https://mail.sender.test/u/${tokens.unsubscribe(SEND)}`);
    const path = new URL(urls.open(SEND)).pathname.slice(TRACKING_PATHS.open.length, -PIXEL_EXTENSION.length);
    expect(tokens.read('open', path)).toEqual({ sendId: SEND });
  });

  it('keeps the path of the public address and writes its domain in ASCII', () => {
    const urls = new TrackingUrls(tokens, 'https://büro.test/outreach//');
    expect(urls.unsubscribe(SEND)).toBe(`https://xn--bro-hoa.test/outreach/u/${tokens.unsubscribe(SEND)}`);
  });
});
