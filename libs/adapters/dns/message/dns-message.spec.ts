import { rounds } from '@testing';
import { type Answer, encode } from 'dns-packet';
import fc from 'fast-check';
import { isAnswerTo, decodeReply, encodeQuestion, isTruncated } from './dns-message';
import { MalformedReplyError } from './dns-message.errors';
import { readDnsReply } from './dns-reply';

const QUESTION = { name: 'www.example.com', type: 'TXT' } as const;

const ANSWERS: Answer[] = [
  { type: 'CNAME', name: 'www.example.com', ttl: 5, class: 'IN', data: 'a.example' },
  { type: 'TXT', name: 'a.example', ttl: 5, class: 'IN', data: ['v=spf1', '-all'] },
  { type: 'MX', name: 'a.example', ttl: 5, class: 'IN', data: { exchange: 'mx.example', preference: 5 } },
  { type: 'AAAA', name: 'a.example', ttl: 5, class: 'IN', data: '2001:db8::1' },
  { type: 'SOA', name: 'example', ttl: 5, class: 'IN', data: { mname: 'ns.example', rname: 'x.example' } },
  { type: 'SRV', name: 'a.example', ttl: 5, class: 'IN', data: { port: 25, target: 'mx.example' } },
  { type: 'CAA', name: 'a.example', ttl: 5, class: 'IN', data: { flags: 0, tag: 'issue', value: 'ca.example' } },
];

function reply(query: Buffer, questions = [{ name: 'www.example.com', type: 'TXT' as const }]): Buffer {
  return encode({ type: 'response', id: query.readUInt16BE(0), questions, answers: [...ANSWERS] });
}

describe('A received DNS message', () => {
  const query = encodeQuestion(QUESTION, true);

  it('answers the query in any letter case', () => {
    expect(isAnswerTo(query, reply(query))).toBe(true);
    expect(isAnswerTo(query, reply(query, [{ name: 'wWw.Example.COM', type: 'TXT' }]))).toBe(true);
  });

  it.each<readonly [string, (message: Buffer) => Buffer]>([
    ['has another id', (message) => changed(message, 1, (message[1] ?? 0) ^ 1)],
    ['is a question itself', (message) => changed(message, 2, 0x01)],
    ['is about something else than a question', (message) => changed(message, 2, 0xa8)],
    ['has two questions', (message) => changed(message, 5, 2)],
    ['has no question, though all is well', (message) => changed(message, 5, 0)],
    ['is about another name', (message) => changed(message, 13, 0x78)],
    ['is about another type', (message) => changed(message, 30, 1)],
    ['is about another class', (message) => changed(message, 32, 3)],
    ['ends amid the question', (message) => message.subarray(0, 31)],
    ['ends amid the header', (message) => message.subarray(0, 11)],
    ['is empty', () => Buffer.alloc(0)],
  ])('is no answer if it %s', (_, change) => {
    expect(isAnswerTo(query, change(reply(query)))).toBe(false);
  });

  it('may omit the question after a format error', () => {
    const header = Buffer.from([...query.subarray(0, 2), 0x81, 0x81, 0, 0, 0, 0, 0, 0, 0, 0]);
    expect(isAnswerTo(query, header)).toBe(true);
  });

  it('is either read or rejected for any content', () => {
    const whole = reply(query);
    const damage = fc.array(fc.tuple(fc.nat(whole.length - 1), fc.nat(255)), { minLength: 1, maxLength: 8 });
    const property = fc.property(damage, fc.nat(whole.length), (changes, cut) => {
      const message = Buffer.from(whole);
      for (const [at, octet] of changes) message[at] = octet;
      readOrMalformed(message);
      readOrMalformed(message.subarray(0, cut));
    });
    fc.assert(property, { numRuns: rounds(3_000) });
  });

  it('is either read or rejected when random bytes follow its header', () => {
    const property = fc.property(
      fc.uint8Array({ maxLength: 300 }),
      fc.array(fc.nat(9), { minLength: 4, maxLength: 4 }),
      (noise, counts) => {
        readOrMalformed(
          Buffer.concat([Buffer.from([0, 0, 0x81, 0x80, ...counts.flatMap((count) => [0, count])]), noise]),
        );
      },
    );
    fc.assert(property, { numRuns: rounds(3_000) });
  });
});

function readOrMalformed(message: Buffer): void {
  try {
    if (message.length >= 12 && !isTruncated(message)) readDnsReply(decodeReply(message), QUESTION);
  } catch (error) {
    if (!(error instanceof MalformedReplyError)) throw error;
  }
}

function changed(message: Buffer, at: number, octet: number): Buffer {
  const copy = Buffer.from(message);
  copy[at] = octet;
  return copy;
}
