import {
  type Answer,
  AUTHORITATIVE_ANSWER,
  encode,
  RECURSION_AVAILABLE,
  RECURSION_DESIRED,
  TRUNCATED_RESPONSE,
} from 'dns-packet';
import { type RecordData, type RecordType } from '../port/dns.port';
import { type Question, UDP_PAYLOAD_OCTETS } from '../message/dns-message';

const CHARACTER_STRING_OCTETS = 255;

/** The content of a scripted response. */
export interface ReplyParts {
  readonly id: number;
  readonly question: Question;
  readonly rcode?: number;
  readonly authoritative?: boolean;
  readonly truncated?: boolean;
  readonly answers?: readonly Answer[];
  readonly authorities?: readonly Answer[];
  readonly edns?: { readonly extendedRcode: number } | null;
}

export function encodeReply(parts: ReplyParts): Buffer {
  const { id, question, rcode = 0, authoritative = false, truncated = false, answers = [], authorities = [] } = parts;
  const flags =
    RECURSION_DESIRED |
    (authoritative ? AUTHORITATIVE_ANSWER : RECURSION_AVAILABLE) |
    (truncated ? TRUNCATED_RESPONSE : 0) |
    rcode;
  return encode({
    type: 'response',
    id,
    flags,
    questions: [{ name: question.name, type: question.type, class: 'IN' }],
    answers: [...answers],
    authorities: [...authorities],
    additionals: parts.edns ? [optOf(parts.edns.extendedRcode)] : [],
  });
}

/** A record in the codec's format. */
export function toRecord<T extends RecordType>(name: string, type: T, data: RecordData[T], ttl: number): Answer {
  return { name, type, ttl, class: 'IN', data: WRITERS[type](data) } as Answer;
}

/** All character-strings of a TXT record except the last are filled to 255 octets. */
function characterStrings(text: string): Buffer[] {
  const octets = Buffer.from(text, 'latin1');
  const count = Math.max(1, Math.ceil(octets.length / CHARACTER_STRING_OCTETS));
  return Array.from({ length: count }, (_, index) =>
    octets.subarray(index * CHARACTER_STRING_OCTETS, (index + 1) * CHARACTER_STRING_OCTETS),
  );
}

const WRITERS: { readonly [T in RecordType]: (data: RecordData[T]) => unknown } = {
  A: (address) => address,
  AAAA: (address) => address,
  CNAME: rooted,
  NS: rooted,
  PTR: rooted,
  MX: ({ exchange, priority }) => ({ exchange: rooted(exchange), preference: priority }),
  SOA: ({ primary, serial, minimum }) => ({
    mname: rooted(primary),
    rname: `hostmaster.${primary}`,
    serial,
    refresh: 3600,
    retry: 600,
    expire: 86_400,
    minimum,
  }),
  TXT: characterStrings,
};

function rooted(name: string): string {
  return name === '' ? '.' : name;
}

function optOf(extendedRcode: number): Answer {
  return {
    type: 'OPT',
    name: '.',
    udpPayloadSize: UDP_PAYLOAD_OCTETS,
    extendedRcode,
    ednsVersion: 0,
    flags: 0,
    flag_do: false,
    options: [],
  };
}
