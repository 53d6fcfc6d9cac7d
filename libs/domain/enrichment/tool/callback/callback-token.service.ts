import { Injectable } from '@nestjs/common';
import { Config } from '@platform/config';
import { TokenSignerService } from '@platform/secrets';
import { type WorkItem } from '../../item-handlers/item-handler';

/** The item of a callback. Ids are ObjectIds in hex. */
export interface CallbackItem {
  readonly workspaceId: string;
  readonly jobId: string;
  readonly itemId: string;
}

const PURPOSE = 'enrichment-callback';

const ID_BYTES = 12;

/** Bytes of a time in milliseconds since 1970. */
const TIME_BYTES = 6;

const PAYLOAD_BYTES = 3 * ID_BYTES + TIME_BYTES;

/** Issued tokens have fewer than 110 characters; longer texts are not decoded. */
const MAX_TOKEN = 200;

const OBJECT_ID = /^[\da-f]{24}$/;

/** Tokens and addresses with which a tool reports a result: the item that it belongs to, and the time at which it expires. */
@Injectable()
export class CallbackTokenService {
  constructor(
    private readonly signer: TokenSignerService,
    private readonly config: Config,
  ) {}

  /** @param until the time at which the token expires */
  issue({ workspaceId, jobId, itemId }: CallbackItem, until: Date): string {
    const time = Buffer.alloc(TIME_BYTES);
    time.writeUIntBE(until.getTime(), 0, TIME_BYTES);
    return this.signer.sign(PURPOSE, Buffer.concat([...[workspaceId, jobId, itemId].map(toIdBytes), time]));
  }

  /** Returns the item of a valid token; null for any other text. */
  read(token: string, now: Date): CallbackItem | null {
    const payload = token.length <= MAX_TOKEN ? this.signer.verify(PURPOSE, token) : null;
    if (payload?.length !== PAYLOAD_BYTES) return null;
    if (payload.readUIntBE(3 * ID_BYTES, TIME_BYTES) <= now.getTime()) return null;
    const id = (place: number) => payload.toString('hex', place * ID_BYTES, (place + 1) * ID_BYTES);
    return { workspaceId: id(0), jobId: id(1), itemId: id(2) };
  }

  /** @param until the time at which the address expires */
  createUrl({ workspaceId, jobId, _id }: Pick<WorkItem, '_id' | 'workspaceId' | 'jobId'>, until: Date): string {
    const item = { workspaceId: workspaceId.toHexString(), jobId: jobId.toHexString(), itemId: _id.toHexString() };
    return `${this.config.publicUrl.replace(/\/+$/, '')}/enrichment/callback/${this.issue(item, until)}`;
  }
}

function toIdBytes(id: string): Buffer {
  if (!OBJECT_ID.test(id)) throw new TypeError('An id is 24 hexadecimal digits');
  return Buffer.from(id, 'hex');
}
