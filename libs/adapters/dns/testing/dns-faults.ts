import { type Answer } from 'dns-packet';
import { RCODE } from '../message/dns-message';
import { encodeReply } from './dns-encoding';
import { garbage } from './dns-zone-reply';
import { type ReceivedQuery } from './received-query';

/** Faults of an answer. */
export type Fault =
  /** No answer. */
  | 'drop'
  | 'wrong-id'
  | 'wrong-question'
  /** The query is returned unchanged, without the answer bit. */
  | 'echo'
  /** Truncated inside a record, with the TC bit. */
  | 'truncated'
  | 'servfail'
  | 'refused'
  | 'formerr'
  /** The server does not support EDNS; queries without it succeed. */
  | 'formerr-to-edns'
  | 'notimp-to-edns'
  /** The server supports another EDNS version only: the code is in the OPT record. */
  | 'badvers'
  /** A valid header with an invalid body. */
  | 'garbage'
  /** Fewer octets than a header. */
  | 'runt'
  /** Over TCP: a part of the announced length, then the end of the connection. */
  | 'cut'
  /** Over TCP: the end of the connection at once. */
  | 'hang-up'
  /** Over TCP: the longest possible message, followed by a megabyte. */
  | 'flood'
  /** A forged answer from another port, then the real one. */
  | 'forged-source'
  /** Forged answers with wrong ids, then the real one. */
  | 'forged-ids'
  /** A referral to another server, without an answer. */
  | 'referral'
  /** These records instead of the real ones, once the promise settles. */
  | {
      readonly answers: readonly Answer[];
      readonly authorities?: readonly Answer[];
      readonly rcode?: number;
      readonly after?: Promise<void>;
    }
  /** The real answer, once the promise settles. */
  | { readonly after: Promise<void> };

export interface Stage {
  readonly query: ReceivedQuery;
  /** The correct answer. */
  readonly right: () => readonly Buffer[];
  readonly send: (answer: Buffer) => void;
  /** Over TCP: these octets, then the end. */
  readonly cut: (part: Buffer) => void;
  readonly elsewhere: (answer: Buffer) => Promise<void>;
}

/** Sends the faulty answer. */
export async function act(fault: Fault, stage: Stage): Promise<void> {
  const { query, right, send } = stage;
  if (typeof fault === 'object') {
    await fault.after;
    if (!('answers' in fault)) return right().forEach(send);
    return send(encodeReply({ id: query.id, question: query, ...fault }));
  }
  const withoutEdns = query.payloadOctets === null;
  if (withoutEdns && TO_EDNS.has(fault)) return right().forEach(send);
  await WAYS[fault](stage);
}

const TO_EDNS: ReadonlySet<Fault> = new Set<Fault>(['formerr-to-edns', 'notimp-to-edns', 'badvers']);

const WAYS: Readonly<Record<Extract<Fault, string>, (stage: Stage) => void | Promise<void>>> = {
  drop: () => undefined,
  'wrong-id': ({ query, right, send }) => forged(right(), query.id + 1).forEach(send),
  'wrong-question': ({ query: { id, type }, send }) =>
    send(encodeReply({ id, question: { name: 'other.example', type } })),
  echo: ({ right, send }) => right().map(asQuestion).forEach(send),
  truncated: ({ right, send }) => right().map(truncated).forEach(send),
  servfail: (stage) => refuse(stage, RCODE.servFail),
  refused: (stage) => refuse(stage, RCODE.refused),
  formerr: (stage) => refuse(stage, RCODE.formErr),
  // A server that cannot parse a question does not repeat it.
  'formerr-to-edns': ({ query, send }) => send(bareHeader(query.id, RCODE.formErr)),
  'notimp-to-edns': (stage) => refuse(stage, RCODE.notImp),
  badvers: ({ query, send }) => send(encodeReply({ id: query.id, question: query, edns: { extendedRcode: 1 } })),
  garbage: ({ query, send }) => send(garbage(query)),
  runt: ({ query, send }) => send(bareHeader(query.id, RCODE.noError).subarray(0, 7)),
  cut: ({ right, cut }) => right().forEach((answer) => cut(Buffer.concat([Buffer.from([0xff, 0xff]), answer]))),
  'hang-up': ({ cut }) => cut(Buffer.alloc(0)),
  flood: ({ right, cut }) =>
    right().forEach((answer) =>
      cut(Buffer.concat([Buffer.from([0xff, 0xff]), answer, Buffer.alloc(1024 * 1024, 0x3f)])),
    ),
  'forged-source': async ({ query, right, send, elsewhere }) => {
    await elsewhere(encodeReply({ id: query.id, question: query, answers: [evil(query.name)] }));
    right().forEach(send);
  },
  'forged-ids': ({ query, right, send }) => {
    const lie = encodeReply({ id: query.id, question: query, answers: [evil(query.name)] });
    for (let guess = 1; guess <= 50; guess += 1) forged([lie], query.id + guess).forEach(send);
    right().forEach(send);
  },
  referral: ({ query, send }) => {
    const elsewhere = { type: 'NS', name: 'example', ttl: 300, class: 'IN', data: 'ns.example' } as const;
    send(encodeReply({ id: query.id, question: query, authorities: [elsewhere] }));
  },
};

/** Applies to any question type. */
function evil(name: string): Answer {
  return { type: 'A', name, ttl: 300, class: 'IN', data: '203.0.113.66' };
}

function refuse({ query, send }: Stage, rcode: number): void {
  send(encodeReply({ id: query.id, question: query, rcode }));
}

function forged(answers: readonly Buffer[], id: number): Buffer[] {
  return answers.map((answer) => {
    const copy = Buffer.from(answer);
    copy.writeUInt16BE(id & 0xffff, 0);
    return copy;
  });
}

function asQuestion(answer: Buffer): Buffer {
  const copy = Buffer.from(answer);
  copy.writeUInt16BE(copy.readUInt16BE(2) & 0x7fff, 2);
  return copy;
}

function truncated(answer: Buffer): Buffer {
  const copy = Buffer.from(answer.subarray(0, -3));
  copy.writeUInt16BE(copy.readUInt16BE(2) | 0x0200, 2);
  return copy;
}

function bareHeader(id: number, rcode: number): Buffer {
  const header = Buffer.alloc(12);
  header.writeUInt16BE(id, 0);
  header.writeUInt16BE(0x8180 | rcode, 2);
  return header;
}
