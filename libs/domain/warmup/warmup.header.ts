import { Injectable } from '@nestjs/common';
import { TokenSigner } from '@platform/secrets';

/** Name of the header that marks the mail of warmup. */
export const WARMUP_HEADER = 'X-Warmup-Token';

const PURPOSE = 'warmup-mail';
const OBJECT_ID = /^[\da-f]{24}$/;
const ID_BYTES = 12;
/** Tokens of ours have fewer than 70 characters; what is much longer is not even decoded. */
const MOST_CHARS = 200;

/**
 * Writes and reads the header by which mail of warmup is told from all other mail: a token of some 43 characters with
 * version, key id, the mail's id, and an HMAC-SHA-256 that is bound to this purpose and compared in constant time. Every key
 * of the ring verifies, so a key may be rotated while mail is under way.
 *
 * A token can be copied into another message. Whoever files mail away because of it has to see that the mail of that id
 * was written to this mailbox and carries this Message-ID.
 */
@Injectable()
export class WarmupHeader {
  constructor(private readonly signer: TokenSigner) {}

  /**
   * The value of the header for a mail.
   * @param mailId an ObjectId in hex
   * @throws TypeError when it is none
   */
  sign(mailId: string): string {
    if (!OBJECT_ID.test(mailId)) throw new TypeError('The id of a mail is 24 hexadecimal digits');
    return this.signer.sign(PURPOSE, Buffer.from(mailId, 'hex'));
  }

  /** The id of the mail, or null for whatever this installation did not sign. Blanks and folds of a header do not matter. */
  verify(value: string): string | null {
    if (value.length > MOST_CHARS) return null;
    const payload = this.signer.verify(PURPOSE, value.replace(/\s+/g, ''));
    return payload?.length === ID_BYTES ? payload.toString('hex') : null;
  }
}
