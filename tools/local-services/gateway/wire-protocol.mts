import { BSON, type Document } from 'bson';

/** MongoDB's wire protocol: splits messages into parts and joins replies into messages. */

const OP_REPLY = 1;
const OP_QUERY = 2004;
const OP_MSG = 2013;
const MORE_TO_COME = 1 << 1;
const CHECKSUM_PRESENT = 1;
/** Bits 0 to 15 must be understood by the server; the others may be ignored. */
const REQUIRED_FLAGS = 0xffff;

export const MAX_DOCUMENT = 16 * 1024 * 1024;
export const MAX_MESSAGE = 48_000_000;
/** Room for a command with a document of maximum size; longer messages are errors or attacks. */
const MAX_ACCEPTED = MAX_MESSAGE + 16 * 1024;

export interface WireMessage {
  requestId: number;
  opCode: number;
  moreToCome: boolean;
  body: Buffer;
  sequences: Map<string, Buffer>;
}

export class ProtocolError extends Error {}

/** Collects chunks until a message is complete; joins each message once, so that 48 MB need no more than 48 MB. */
export class MessageReader {
  #chunks: Buffer[] = [];
  #size = 0;

  push(chunk: Buffer): Buffer[] {
    this.#chunks.push(chunk);
    this.#size += chunk.length;
    const messages: Buffer[] = [];
    for (let length = this.#nextLength(); length !== undefined && this.#size >= length; length = this.#nextLength()) {
      const all = this.#chunks.length === 1 ? (this.#chunks[0] as Buffer) : Buffer.concat(this.#chunks, this.#size);
      messages.push(all.subarray(0, length));
      this.#chunks = all.length > length ? [all.subarray(length)] : [];
      this.#size -= length;
    }
    return messages;
  }

  #nextLength(): number | undefined {
    if (this.#size < 4) return undefined;
    let first = this.#chunks[0] as Buffer;
    if (first.length < 4) {
      first = Buffer.concat(this.#chunks, this.#size);
      this.#chunks = [first];
    }
    const length = first.readInt32LE(0);
    if (length < 16 || length > MAX_ACCEPTED) throw new ProtocolError(`message of ${length} bytes refused`);
    return length;
  }
}

export function parseMessage(message: Buffer): WireMessage {
  const requestId = message.readInt32LE(4);
  const opCode = message.readInt32LE(12);
  if (opCode === OP_QUERY)
    return { requestId, opCode, moreToCome: false, body: queryBody(message), sequences: new Map() };
  if (opCode !== OP_MSG) throw new ProtocolError(`operation ${opCode} is not supported`);
  return { requestId, opCode, ...parseOpMsg(message) };
}

/** Drivers send their first hello in the old form, which old servers also understand. */
function queryBody(message: Buffer): Buffer {
  const at = message.indexOf(0, 20) + 1 + 8;
  return message.subarray(at, at + message.readInt32LE(at));
}

function parseOpMsg(message: Buffer): Omit<WireMessage, 'requestId' | 'opCode'> {
  const flags = message.readUInt32LE(16);
  if (flags & REQUIRED_FLAGS & ~(MORE_TO_COME | CHECKSUM_PRESENT)) throw new ProtocolError(`unknown flags ${flags}`);
  const end = message.length - (flags & CHECKSUM_PRESENT ? 4 : 0);
  const sequences = new Map<string, Buffer>();
  let body: Buffer | undefined;
  for (let at = 20; at < end;) {
    const kind = message[at++];
    const size = message.readInt32LE(at);
    if (size < 5 || at + size > end) throw new ProtocolError('section with a wrong length');
    if (kind === 0) body = message.subarray(at, at + size);
    else if (kind === 1) {
      const nameEnd = message.indexOf(0, at + 4);
      const name = message.toString('utf8', at + 4, nameEnd);
      if (sequences.has(name)) throw new ProtocolError(`two sequences named ${name}`);
      sequences.set(name, message.subarray(nameEnd + 1, at + size));
    } else throw new ProtocolError(`section of unknown kind ${kind}`);
    at += size;
  }
  if (!body) throw new ProtocolError('message without a body');
  return { moreToCome: (flags & MORE_TO_COME) !== 0, body, sequences };
}

let lastRequestId = 0;

export function encodeReply(responseTo: number, toOpCode: number, reply: Document | Buffer): Buffer[] {
  const body = Buffer.isBuffer(reply) ? reply : BSON.serialize(reply, { ignoreUndefined: true });
  const opCode = toOpCode === OP_QUERY ? OP_REPLY : OP_MSG;
  const prefix = Buffer.alloc(opCode === OP_MSG ? 21 : 36);
  lastRequestId = (lastRequestId + 1) & 0x7fffffff;
  prefix.writeInt32LE(prefix.length + body.length, 0);
  prefix.writeInt32LE(lastRequestId, 4);
  prefix.writeInt32LE(responseTo, 8);
  prefix.writeInt32LE(opCode, 12);
  if (opCode === OP_REPLY) {
    prefix.writeInt32LE(8, 16); // AwaitCapable, as in every server since 2.0.
    prefix.writeInt32LE(1, 32); // One document.
  }
  return [prefix, Buffer.from(body.buffer, body.byteOffset, body.length)];
}
