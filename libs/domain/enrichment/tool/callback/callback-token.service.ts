import { Injectable } from '@nestjs/common';
import { TokenSignerService } from '@platform/secrets';

/** The item that a callback is about. Ids are ObjectIds in hex. */
export interface CalledItem {
  readonly workspaceId: string;
  readonly jobId: string;
  readonly itemId: string;
}

const PURPOSE = 'enrichment-callback';
const ID_BYTES = 12;
/** Milliseconds since 1970 in as many bytes. */
const TIME_BYTES = 6;
const PAYLOAD_BYTES = 3 * ID_BYTES + TIME_BYTES;
/** Tokens of ours have fewer than 110 characters; what is much longer is not even decoded. */
const MAX_TOKEN = 200;
const OBJECT_ID = /^[\da-f]{24}$/;

/** Signs and reads what a tool is given to call back with: which item it is about, and until when. */
@Injectable()
export class CallbackTokenService {
  constructor(private readonly signer: TokenSignerService) {}

  /** @param until the first moment at which it means nothing any more */
  issue({ workspaceId, jobId, itemId }: CalledItem, until: Date): string {
    const time = Buffer.alloc(TIME_BYTES);
    time.writeUIntBE(until.getTime(), 0, TIME_BYTES);
    return this.signer.sign(PURPOSE, Buffer.concat([...[workspaceId, jobId, itemId].map(idBytes), time]));
  }

  /** What a token says that is in force; null for anything else whatsoever. */
  read(token: string, now: Date): CalledItem | null {
    const payload = token.length <= MAX_TOKEN ? this.signer.verify(PURPOSE, token) : null;
    if (payload?.length !== PAYLOAD_BYTES) return null;
    if (payload.readUIntBE(3 * ID_BYTES, TIME_BYTES) <= now.getTime()) return null;
    const id = (place: number) => payload.toString('hex', place * ID_BYTES, (place + 1) * ID_BYTES);
    return { workspaceId: id(0), jobId: id(1), itemId: id(2) };
  }
}

function idBytes(id: string): Buffer {
  if (!OBJECT_ID.test(id)) throw new TypeError('An id is 24 hexadecimal digits');
  return Buffer.from(id, 'hex');
}
