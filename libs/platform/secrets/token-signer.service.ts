import { createHmac, createSecretKey, type KeyObject, timingSafeEqual } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { KeyRing } from './key-ring';

const VERSION = 1;
const PURPOSE_PREFIX = 'outreach token v1 ';

/** Half of the HMAC's output, the shortest that RFC 2104 (section 5) allows; forging takes 2^128 online tries. */
const TAG_BYTES = 16;

/**
 * Signs tokens that leave the platform and return: tracking links, unsubscribe links, reply tokens, cursors. Each purpose has
 * its own key, so a token of one purpose never verifies for another. Anyone can read the payload, and it does not expire: include
 * an expiry where one is needed, and no secrets.
 *
 * Token = base64url(head, key id, payload, tag): head is one byte, version in the high and key id length - 1 in the low
 * four bits; tag is the first 16 bytes of HMAC-SHA-256 over all before it.
 */
@Injectable()
export class TokenSignerService {
  /** By subkey: an HMAC with a Buffer creates such an object each time, which takes five times as long as the HMAC. */
  readonly #objects = new WeakMap<Buffer, KeyObject>();

  constructor(private readonly keys: KeyRing) {}

  /**
   * Returns a URL-safe token (`A-Z a-z 0-9 - _`) of 4/3 of (payload bytes + key id length + 17) characters.
   * @param purpose a constant of the code such as `unsubscribe`; not empty, never user input.
   * @param payload text is signed as UTF-8.
   * @throws TypeError when the purpose is empty.
   */
  sign(purpose: string, payload: string | Buffer): string {
    const keyId = this.keys.currentId;
    const head = Buffer.of((VERSION << 4) | (keyId.length - 1));
    const body = typeof payload === 'string' ? Buffer.from(payload, 'utf8') : payload;
    const signed = Buffer.concat([head, Buffer.from(keyId, 'ascii'), body]);
    const tag = this.tag(keyId, purpose, signed);
    if (tag === null) throw new Error('The current key is not in its ring');
    return Buffer.concat([signed, tag]).toString('base64url');
  }

  /** Returns the payload of a token that any key of the ring signed for this purpose, otherwise null. */
  verify(purpose: string, token: string): Buffer | null {
    const bytes = Buffer.from(token, 'base64url');
    // Only the canonical encoding is valid, because tokens are compared as text and Buffer.from is lenient.
    if (bytes.toString('base64url') !== token) return null;
    const head = bytes[0];
    if (head === undefined || head >> 4 !== VERSION) return null;
    const payloadStart = 1 + (head & 0x0f) + 1;
    const tagStart = bytes.length - TAG_BYTES;
    if (tagStart < payloadStart) return null;
    const expected = this.tag(bytes.toString('latin1', 1, payloadStart), purpose, bytes.subarray(0, tagStart));
    if (expected === null || !timingSafeEqual(expected, bytes.subarray(tagStart))) return null;
    return bytes.subarray(payloadStart, tagStart);
  }

  private tag(keyId: string, purpose: string, signed: Buffer): Buffer | null {
    if (purpose === '') throw new TypeError('A token needs a purpose');
    const key = this.keys.subkey(keyId, PURPOSE_PREFIX + purpose);
    if (key === null) return null;
    const object = this.#objects.get(key) ?? createSecretKey(key);
    this.#objects.set(key, object);
    return createHmac('sha256', object).update(signed).digest().subarray(0, TAG_BYTES);
  }
}
