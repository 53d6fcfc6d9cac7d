import { MalformedReplyError } from './dns-message.errors';
import { randomInt } from 'node:crypto';
import { type Answer, decode, encode, RECURSION_DESIRED } from 'dns-packet';
import { type RecordType } from '../port/dns.port';

/** Maximum size of an unfragmented answer over UDP: fragments get lost and can be forged (RFC 9715; the value of DNS Flag Day 2020). */
export const UDP_PAYLOAD_OCTETS = 1232;

const HEADER_OCTETS = 12;
const TYPE_AND_CLASS_OCTETS = 4;
const TTL_OCTETS = 4;
const LENGTH_OCTETS = 2;
const POINTER = 0xc0;
const MAX_ID = 0x10000;

/** Response codes (RFC 1035, section 4.1.1; RFC 6891, section 9). */
export const RCODE = {
  noError: 0,
  formErr: 1,
  servFail: 2,
  nxDomain: 3,
  notImp: 4,
  refused: 5,
  yxDomain: 6,
  badVers: 16,
};

export interface Question {
  /** In the format of `parseDomainName`. */
  readonly name: string;
  readonly type: RecordType;
}

/** The used parts of an answer. */
export interface Reply {
  /** The extended code where the answer has EDNS. */
  readonly rcode: number;
  /** `AA`: the server is authoritative for the zone. */
  readonly authoritative: boolean;
  readonly answers: readonly Answer[];
  readonly authorities: readonly Answer[];
}

/** A query with an unpredictable id (RFC 5452, section 9.2). */
export function encodeQuestion({ name, type }: Question, edns: boolean): Buffer {
  return encode({
    type: 'query',
    id: randomInt(MAX_ID),
    flags: RECURSION_DESIRED,
    questions: [{ name, type, class: 'IN' }],
    additionals: edns ? [createOptRecord()] : [],
  });
}

/**
 * Whether a message answers this query: by its id, and by the question in any letter case (RFC 5452, section 9.1). After a format error a
 * server may omit the question.
 */
export function isAnswerTo(query: Buffer, message: Buffer): boolean {
  if (message.length < HEADER_OCTETS || message.readUInt16BE(0) !== query.readUInt16BE(0)) return false;
  const [flags, questions] = [message.readUInt16BE(2), message.readUInt16BE(4)];
  const [isResponse, opcode, rcode] = [(flags & 0x8000) !== 0, (flags >> 11) & 0xf, flags & 0xf];
  if (!isResponse || opcode !== 0) return false;
  if (questions === 0) return rcode !== RCODE.noError && rcode !== RCODE.nxDomain;
  const end = getQuestionEnd(query);
  return questions === 1 && toAsciiLowerCase(message, end) === toAsciiLowerCase(query, end);
}

/** Whether the answer is truncated (`TC`); its records are then unusable (RFC 2181, section 9). */
export function isTruncated(message: Buffer): boolean {
  return (message.readUInt16BE(2) & 0x0200) !== 0;
}

/** @throws MalformedReply */
export function decodeReply(message: Buffer): Reply {
  try {
    const { answers = [], authorities = [], additionals = [], flag_aa: authoritative } = decode(message);
    // The codec checks neither the length of a record nor the end of the message.
    if (decode.bytes !== findNameEnd(message)) throw new MalformedReplyError('the length of a record is wrong');
    const extended = additionals.find((record) => record.type === 'OPT')?.extendedRcode ?? 0;
    return { rcode: (extended << 4) | (message.readUInt16BE(2) & 0xf), authoritative, answers, authorities };
  } catch (cause) {
    if (cause instanceof MalformedReplyError) throw cause;
    throw new MalformedReplyError(cause instanceof Error ? cause.message : String(cause), { cause });
  }
}

function createOptRecord(): Answer {
  return {
    type: 'OPT',
    name: '.',
    udpPayloadSize: UDP_PAYLOAD_OCTETS,
    extendedRcode: 0,
    ednsVersion: 0,
    flags: 0,
    flag_do: false,
    options: [],
  };
}

/** The end of the last record, by the stated record lengths (RFC 1035, section 4.1). */
function findNameEnd(message: Buffer): number {
  const questions = message.readUInt16BE(4);
  const records = [6, 8, 10].reduce((sum, at) => sum + message.readUInt16BE(at), 0);
  let at = HEADER_OCTETS;
  for (let index = 0; index < questions; index += 1) at = getNameEnd(message, at) + TYPE_AND_CLASS_OCTETS;
  for (let index = 0; index < records; index += 1) {
    at = getNameEnd(message, at) + TYPE_AND_CLASS_OCTETS + TTL_OCTETS;
    at += LENGTH_OCTETS + message.readUInt16BE(at);
  }
  if (at > message.length) throw new MalformedReplyError('the message ends within a record');
  return at;
}

/** A name ends with the root, or with a pointer of two octets to its remaining labels. */
function getNameEnd(message: Buffer, start: number): number {
  let at = start;
  for (;;) {
    const length = message.readUInt8(at);
    if (length === 0) return at + 1;
    if (length >= POINTER) return at + 2;
    at += 1 + length;
  }
}

function getQuestionEnd(query: Buffer): number {
  return getNameEnd(query, HEADER_OCTETS) + TYPE_AND_CLASS_OCTETS;
}

/** The length bytes, types and classes of our queries contain no letters. */
function toAsciiLowerCase(message: Buffer, end: number): string {
  return message.toString('latin1', HEADER_OCTETS, end).replace(/[A-Z]+/g, (capitals) => capitals.toLowerCase());
}
