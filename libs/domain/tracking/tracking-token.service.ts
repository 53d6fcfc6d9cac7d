import { TokenSignerService } from '@platform/secrets';
import { Injectable } from '@nestjs/common';

/** The content of a token. Ids are ObjectIds in hex; `link` is the index of the link in the send, from 0. */
export interface TrackedIds {
  readonly open: { readonly sendId: string };
  readonly click: { readonly sendId: string; readonly link: number };
  readonly honeypot: { readonly sendId: string };
  readonly unsubscribe: { readonly sendId: string };
}
export type TrackingKind = keyof TrackedIds;

const PURPOSES: Readonly<Record<TrackingKind, string>> = {
  open: 'track-open',
  click: 'track-click',
  honeypot: 'track-honeypot',
  unsubscribe: 'unsubscribe',
};

/** The send id of an invalid token: it never exists and is looked up like any other. */
export const NO_SEND = '0'.repeat(24);

const OBJECT_ID = /^[\da-f]{24}$/;
const ID_BYTES = 12;
/** Valid tokens have fewer than 70 characters; much longer ones are not even decoded. */
const MAX_TOKEN = 200;

/**
 * Signs and reads the tokens in the URLs of an email: 12 bytes of send id and, for a click, one byte of link number, in
 * about 43 characters. No kind is valid as another. Tokens do not expire: people unsubscribe from old mail.
 */
@Injectable()
export class TrackingTokenService {
  constructor(private readonly signer: TokenSignerService) {}

  open(sendId: string): string {
    return this.signer.sign(PURPOSES.open, toIdBytes(sendId));
  }

  /** @param link 0 to 255 */
  click(sendId: string, link: number): string {
    if (!Number.isInteger(link) || link < 0 || link > 255) throw new TypeError('A link number is 0 to 255');
    return this.signer.sign(PURPOSES.click, Buffer.concat([toIdBytes(sendId), Buffer.of(link)]));
  }

  honeypot(sendId: string): string {
    return this.signer.sign(PURPOSES.honeypot, toIdBytes(sendId));
  }

  unsubscribe(sendId: string): string {
    return this.signer.sign(PURPOSES.unsubscribe, toIdBytes(sendId));
  }

  /** Returns the content of a token of that kind; null for anything else. */
  read<Kind extends TrackingKind>(kind: Kind, token: string): TrackedIds[Kind] | null;
  read(kind: TrackingKind, token: string): { sendId: string; link?: number } | null {
    const payload = token.length <= MAX_TOKEN ? this.signer.verify(PURPOSES[kind], token) : null;
    if (payload === null || payload.length !== ID_BYTES + (kind === 'click' ? 1 : 0)) return null;
    const sendId = payload.toString('hex', 0, ID_BYTES);
    return kind === 'click' ? { sendId, link: payload.readUInt8(ID_BYTES) } : { sendId };
  }
}

function toIdBytes(sendId: string): Buffer {
  if (!OBJECT_ID.test(sendId)) throw new TypeError('A send id is 24 hexadecimal digits');
  return Buffer.from(sendId, 'hex');
}
