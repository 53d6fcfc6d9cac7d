import { BSON, Long } from 'bson';
import fc from 'fast-check';
import { parseCall, retryId } from './call.mts';
import { findKeyValue } from './duplicate-keys.mts';
import { errorReply, fromSqlState, unpackSqlState } from './errors.mts';
import { toStage, type PlanNode } from './explain.mts';
import { assemble, parseCursorId, elements } from './raw-bson.mts';
import { encodeMessage } from './testing/raw-client.mts';
import { MessageReader, parseMessage, ProtocolError } from './wire-protocol.mts';

const bson = (document: object): Buffer => Buffer.from(BSON.serialize(document));

describe('messages', () => {
  it('are parsed completely for any chunk size', () => {
    fc.assert(
      fc.property(
        fc.array(fc.integer({ min: 0, max: 300 }), { minLength: 1, maxLength: 6 }),
        fc.infiniteStream(fc.integer({ min: 1, max: 50 })),
        (sizes, cuts) => {
          const messages = sizes.map((size, id) => encodeMessage(id, { ping: 1, text: 'x'.repeat(size) }));
          let rest = Buffer.concat(messages);
          const reader = new MessageReader();
          const found: Buffer[] = [];
          while (rest.length > 0) {
            const cut = cuts.next().value ?? 1;
            found.push(...reader.push(rest.subarray(0, cut)));
            rest = rest.subarray(cut);
          }
          expect(Buffer.concat(found).equals(Buffer.concat(messages))).toBe(true);
          expect(found).toHaveLength(messages.length);
        },
      ),
    );
  });

  it.each([[-1], [0], [15], [49_000_000]])('of %i bytes are rejected', (length) => {
    const header = Buffer.alloc(16);
    header.writeInt32LE(length, 0);
    expect(() => new MessageReader().push(header)).toThrow(ProtocolError);
  });

  it('with two sequences of one name, or a section that is too long, are rejected', () => {
    const message = encodeMessage(1, { insert: 'a', $db: 'd' }, { sequences: { documents: [{ a: 1 }] } });
    const section = message.subarray(20 + 1 + message.readInt32LE(21));
    expect(() => parseMessage(Buffer.concat([message, section]))).toThrow('two sequences');
    const long = Buffer.from(message);
    long.writeInt32LE(1_000_000, 21);
    expect(() => parseMessage(long)).toThrow('wrong length');
  });
});

describe('commands', () => {
  it('keep all bytes except the envelope', () => {
    const command = {
      find: 'c',
      filter: { a: /x/i, b: Long.MAX_VALUE },
      lsid: { id: new BSON.UUID() },
      $db: 'd',
      maxTimeMS: 5,
    };
    const call = parseCall(parseMessage(encodeMessage(1, command)));
    expect(call).toMatchObject({ kind: 'find', db: 'd', collection: 'c', maxTimeMs: 5, inTransaction: false });
    expect(call.bson.equals(bson({ find: 'c', filter: command.filter }))).toBe(true);
    expect(retryId(call)).toBeNull();
  });

  it('contain as arrays the sequences that are not documents of a write', () => {
    const message = encodeMessage(
      1,
      { aggregate: 'c', $db: 'd' },
      { sequences: { pipeline: [{ $match: {} }, { $limit: 1 }] } },
    );
    expect(BSON.deserialize(parseCall(parseMessage(message)).bson)).toEqual({
      aggregate: 'c',
      pipeline: [{ $match: {} }, { $limit: 1 }],
    });
  });

  it('identify a retryable write by session and number', () => {
    const lsid = { id: new BSON.UUID('00112233-4455-4677-8899-aabbccddeeff') };
    const send = (extra: object): string | null =>
      retryId(
        parseCall(
          parseMessage(encodeMessage(1, { insert: 'c', lsid, txnNumber: Long.fromNumber(7), $db: 'd', ...extra })),
        ),
      );
    expect(send({})).toBe('00112233445546778899aabbccddeeff-7');
    expect(send({ autocommit: false })).toBeNull();
  });
});

describe('raw BSON', () => {
  it('is split and reassembled for every type', () => {
    const value = fc.oneof(
      fc.string(),
      fc.double(),
      fc.integer(),
      fc.boolean(),
      fc.constant(null),
      fc.date({ noInvalidDate: true }),
      fc.array(fc.integer()),
    );
    fc.assert(
      fc.property(fc.dictionary(fc.stringMatching(/^[a-z]{1,8}$/), value), (document) => {
        const bytes = bson(document);
        const found = elements(bytes);
        expect(found.map(({ name }) => name)).toEqual(Object.keys(document));
        expect(assemble(bytes, found).equals(bytes)).toBe(true);
      }),
    );
  });

  it('contains the cursor id without decoding its batch', () => {
    expect(
      parseCursorId(bson({ cursor: { firstBatch: [{ id: 1 }], id: Long.fromString('1234567890123456789') }, ok: 1 })),
    ).toBe(1234567890123456789n);
    expect(parseCursorId(bson({ ok: 1 }))).toBe(0n);
  });

  it('with a wrong length is rejected', () => {
    const bytes = bson({ a: 'text' });
    bytes.writeInt32LE(1_000, 7);
    expect(() => elements(bytes)).toThrow('leaves its document');
  });
});

describe('errors', () => {
  it.each([
    ['23505', 11_000],
    ['40001', 112],
    ['40P01', 112],
    ['57014', 50],
    ['ECONNREFUSED', 91],
    ['XX000', 8],
  ])('SQLSTATE %s is %i', (state, code) => {
    expect(fromSqlState(state, 'text').code).toBe(code);
  });

  it('are unpacked from the integer in which PostgreSQL stores a state; codes of MongoDB stay unchanged', () => {
    const packed = Array.from('40P01').reduce(
      (sum, letter, i) => sum + ((letter.charCodeAt(0) - 0x30) & 0x3f) * 2 ** (6 * i),
      0,
    );
    expect(unpackSqlState(packed)).toBe('40P01');
    expect([unpackSqlState(11_000), unpackSqlState(Number.NaN)]).toEqual([undefined, undefined]);
  });

  it('have the labels for retries by drivers, inside and outside transactions', () => {
    const conflict = fromSqlState('55P03', 'lock');
    expect(errorReply(conflict, true, false)).toMatchObject({ code: 112, errorLabels: ['TransientTransactionError'] });
    expect(errorReply(conflict, false, true)).not.toHaveProperty('errorLabels');
    expect(errorReply(fromSqlState('57P01', 'down'), false, true)).toMatchObject({
      errorLabels: ['RetryableWriteError'],
    });
  });

  it.each([
    ['an insert', { a: 1 }, { a: 1, b: null }],
    ['an update', { q: { a: 1 }, u: { $set: { b: 2 } } }, { a: 1, b: 2 }],
    ['a replacement', { q: {}, u: { a: 1, b: 2 } }, { a: 1, b: 2 }],
    ['an update without the key', { q: {}, u: { $set: { b: 2 } } }, undefined],
    ['a range in the filter', { q: { a: { $gt: 1 } }, u: { $set: { b: 2 } } }, undefined],
  ])('contain the value of a duplicate key for %s', (_what, write, value) => {
    expect(findKeyValue(['a', 'b'], write)).toEqual(value);
  });
});

describe('query plans', () => {
  const node = (type: string, extra: Partial<PlanNode> = {}, ...Plans: PlanNode[]): PlanNode => ({
    'Node Type': type,
    ...extra,
    Plans,
  });

  it('report an index scan below sort and limit', () => {
    const scan = node('Bitmap Heap Scan', {}, node('Bitmap Index Scan', { 'Index Name': 'list', 'Index Cond': 'x' }));
    expect(toStage(node('Limit', {}, node('Sort', {}, node('Custom Scan', {}, scan))))).toMatchObject({
      stage: 'LIMIT',
      inputStage: { stage: 'SORT', inputStage: { stage: 'FETCH', inputStage: { stage: 'IXSCAN', indexName: 'list' } } },
    });
  });

  it('report a full collection scan through the shard', () => {
    const whole = { 'Index Name': '_id_', 'Index Cond': "(shard_key_value = '69'::bigint)" };
    expect(toStage(node('Bitmap Heap Scan', {}, node('Bitmap Index Scan', whole)))).toEqual({ stage: 'COLLSCAN' });
  });
});
