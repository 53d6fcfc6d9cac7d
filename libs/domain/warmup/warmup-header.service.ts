import { createHash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { TokenSignerService } from '@platform/secrets';

/** Header of warmup mail: a common name, so that it does not identify the mail. */
export const WARMUP_HEADER = 'X-Correlation-ID';

/** Addresses of sender and receiver; case does not matter. */
export interface MailParties {
  readonly from: string;
  readonly to: string;
}

const PURPOSE = 'warmup-mail';
const OBJECT_ID = /^[\da-f]{24}$/;
const ID_BYTES = 12;
const PARTIES_BYTES = 8;
const TAG_BYTES = 16;
/** Tokens have fewer than 80 characters; much longer values are not decoded. */
const MAX_CHARS = 200;

/**
 * Signs and verifies the header that identifies warmup mail: a token of some 52 characters with version, key id, mail id, digest
 * of the addresses, and an HMAC-SHA-256 for this purpose, compared in constant time. Every key of the ring verifies, so that keys
 * may be rotated at any time.
 *
 * Tokens have no visible part in common, because spam filters learn the common parts of a sender's mail.
 */
@Injectable()
export class WarmupHeaderService {
  constructor(private readonly signer: TokenSignerService) {}

  /**
   * Returns the header value for a mail.
   * @param mailId an ObjectId in hex
   * @throws TypeError for another id
   */
  sign(mailId: string, ends: MailParties): string {
    if (!OBJECT_ID.test(mailId)) throw new TypeError('The id of a mail is 24 hexadecimal digits');
    const token = this.signer.sign(PURPOSE, Buffer.concat([Buffer.from(mailId, 'hex'), getDigest(ends)]));
    return maskToken(Buffer.from(token, 'base64url')).toString('base64url');
  }

  /** Returns the mail id of a value that this installation signed for these two addresses; null otherwise. */
  verify(value: string, ends: MailParties): string | null {
    const payload = this.#decodePayload(value);
    return payload?.subarray(ID_BYTES).equals(getDigest(ends)) ? getMailId(payload) : null;
  }

  /** Returns the mail id of a value that this installation signed for any addresses; null otherwise. */
  findMailId(value: string): string | null {
    const payload = this.#decodePayload(value);
    return payload && getMailId(payload);
  }

  /** Ignores blanks and folds of the header. */
  #decodePayload(value: string): Buffer | null {
    if (value.length > MAX_CHARS) return null;
    const compact = value.replace(/\s+/g, '');
    const bytes = Buffer.from(compact, 'base64url');
    if (bytes.length < TAG_BYTES || bytes.toString('base64url') !== compact) return null;
    const payload = this.signer.verify(PURPOSE, unmaskToken(bytes).toString('base64url'));
    return payload?.length === ID_BYTES + PARTIES_BYTES ? payload : null;
  }
}

function getMailId(payload: Buffer): string {
  return payload.toString('hex', 0, ID_BYTES);
}

function getDigest({ from, to }: MailParties): Buffer {
  const ends = JSON.stringify([from, to].map((address) => address.toLowerCase()));
  return createHash('sha256').update(ends).digest().subarray(0, PARTIES_BYTES);
}

/** Moves the tag to the front and masks the rest with it: version, key id, and the time in the id. */
function maskToken(token: Buffer): Buffer {
  const [body, tag] = [token.subarray(0, -TAG_BYTES), token.subarray(-TAG_BYTES)];
  return Buffer.concat([tag, applyMask(body, tag)]);
}

function unmaskToken(value: Buffer): Buffer {
  const [tag, body] = [value.subarray(0, TAG_BYTES), value.subarray(TAG_BYTES)];
  return Buffer.concat([applyMask(body, tag), tag]);
}

/** Its own inverse. */
function applyMask(body: Buffer, tag: Buffer): Buffer {
  const mask = createHash('shake256', { outputLength: body.length }).update(tag).digest();
  return Buffer.from(body.map((byte, at) => byte ^ (mask[at] ?? 0)));
}
