import { createHash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { TokenSignerService } from '@platform/secrets';

/** Name of the header that marks the mail of warmup: one that all sorts of mail have, so that it gives nothing away. */
export const WARMUP_HEADER = 'X-Correlation-ID';

/** Who a mail is from and to, by their addresses; case does not matter. */
export interface MailParties {
  readonly from: string;
  readonly to: string;
}

const PURPOSE = 'warmup-mail';
const OBJECT_ID = /^[\da-f]{24}$/;
const ID_BYTES = 12;
const PARTIES_BYTES = 8;
const TAG_BYTES = 16;
/** Tokens of ours have fewer than 80 characters; what is much longer is not even decoded. */
const MAX_CHARS = 200;

/**
 * Writes and reads the header by which mail of warmup is told from all other mail: a token of some 52 characters with version,
 * key id, the mail's id, whom it is from and to, and an HMAC-SHA-256 that is bound to this purpose and compared in constant time.
 * Every key of the ring verifies, so a key may be rotated while mail is under way.
 *
 * No two tokens have anything in common that could be seen: filters learn what the mail of a sender has in common.
 */
@Injectable()
export class WarmupHeaderService {
  constructor(private readonly signer: TokenSignerService) {}

  /**
   * The value of the header for a mail.
   * @param mailId an ObjectId in hex
   * @throws TypeError when it is none
   */
  sign(mailId: string, ends: MailParties): string {
    if (!OBJECT_ID.test(mailId)) throw new TypeError('The id of a mail is 24 hexadecimal digits');
    const token = this.signer.sign(PURPOSE, Buffer.concat([Buffer.from(mailId, 'hex'), getDigest(ends)]));
    return maskToken(Buffer.from(token, 'base64url')).toString('base64url');
  }

  /** The id of the mail that carries the value; null unless this installation signed it for a mail between the same two. */
  verify(value: string, ends: MailParties): string | null {
    const payload = this.#decodePayload(value);
    return payload?.subarray(ID_BYTES).equals(getDigest(ends)) ? getMailId(payload) : null;
  }

  /** The id of the mail that a value was signed for, whoever shows it; null for whatever this installation did not sign. */
  findMailId(value: string): string | null {
    const payload = this.#decodePayload(value);
    return payload && getMailId(payload);
  }

  /** Blanks and folds of a header do not matter. */
  #decodePayload(value: string): Buffer | null {
    if (value.length > MAX_CHARS) return null;
    const given = value.replace(/\s+/g, '');
    const bytes = Buffer.from(given, 'base64url');
    if (bytes.length < TAG_BYTES || bytes.toString('base64url') !== given) return null;
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

/** The tag, which looks like chance, goes in front and hides what comes before it in the token: version, key id, and time in the id. */
function maskToken(token: Buffer): Buffer {
  const [body, tag] = [token.subarray(0, -TAG_BYTES), token.subarray(-TAG_BYTES)];
  return Buffer.concat([tag, applyMask(body, tag)]);
}

function unmaskToken(value: Buffer): Buffer {
  const [tag, body] = [value.subarray(0, TAG_BYTES), value.subarray(TAG_BYTES)];
  return Buffer.concat([applyMask(body, tag), tag]);
}

/** Done twice it is undone. */
function applyMask(body: Buffer, tag: Buffer): Buffer {
  const mask = createHash('shake256', { outputLength: body.length }).update(tag).digest();
  return Buffer.from(body.map((byte, at) => byte ^ (mask[at] ?? 0)));
}
