import { BSON, type Document } from 'bson';
import { assemble, arrayElement, booleanAt, elements, integerAt, stringAt, type RawElement } from './raw-bson.mts';
import type { WireMessage } from './wire-protocol.mts';

/** Fields that describe the call, not the command: DocumentDB must not see them. */
const ENVELOPE = new Set([
  '$db',
  'lsid',
  '$clusterTime',
  'txnNumber',
  'autocommit',
  'startTransaction',
  '$readPreference',
  'readConcern',
  'writeConcern',
  'apiVersion',
  'apiStrict',
  'apiDeprecationErrors',
  'comment',
  'maxTimeMS',
]);

/** Sequences that DocumentDB accepts unchanged, in addition to the command. */
const WRITE_SEQUENCES: Record<string, string> = { insert: 'documents', update: 'updates', delete: 'deletes' };

/** One command, with session and transaction from its envelope. */
export interface Call {
  /** As the client wrote it; compare it in lower case. */
  name: string;
  kind: string;
  db: string;
  /** The collection, for the commands that have one. */
  collection: string;
  /** The command in the form of DocumentDB. */
  bson: Buffer;
  /** Documents of a write that arrived as a sequence. */
  sequence: Buffer | null;
  maxTimeMs: number;
  sessionKey?: string;
  transactionNumber?: bigint;
  inTransaction: boolean;
  startsTransaction: boolean;
}

export function parseCall(message: WireMessage): Call {
  const { body, sequences } = message;
  const fields = elements(body);
  const first = fields[0];
  if (!first) throw new Error('empty command');
  const field = (name: string): RawElement | undefined => fields.find((element) => element.name === name);
  const kind = first.name.toLowerCase();
  const passed = kind in WRITE_SEQUENCES ? sequences.get(WRITE_SEQUENCES[kind] ?? '') : undefined;
  const extra = [...sequences]
    .filter(([, bytes]) => bytes !== passed)
    .map(([name, bytes]) => arrayElement(name, bytes));
  const kept = fields.filter(({ name }) => !ENVELOPE.has(name));
  return {
    name: first.name,
    kind,
    db: stringAt(body, field('$db')) ?? 'admin',
    collection: stringAt(body, first) ?? '',
    bson: assemble(body, kept, extra),
    sequence: passed ?? null,
    maxTimeMs: Number(integerAt(body, field('maxTimeMS')) ?? 0n),
    sessionKey: sessionKey(body, field('lsid')),
    transactionNumber: integerAt(body, field('txnNumber')),
    inTransaction: booleanAt(body, field('autocommit')) === false,
    startsTransaction: booleanAt(body, field('startTransaction')) === true,
  };
}

/** The 16 bytes of `lsid.id` in hexadecimal. */
function sessionKey(body: Buffer, lsid: RawElement | undefined): string | undefined {
  if (lsid?.type !== 0x03) return undefined;
  const id = elements(body, lsid.value).find(({ name }) => name === 'id');
  return id?.type === 0x05 ? body.toString('hex', id.value + 5, id.end) : undefined;
}

/**
 * A retryable write carries a session and a number: DocumentDB remembers the pair and does not apply the write twice.
 */
export function retryId(call: Call): string | null {
  if (call.inTransaction || call.transactionNumber === undefined || !call.sessionKey) return null;
  return `${call.sessionKey}-${call.transactionNumber}`;
}

/** The command decoded, numbers and binaries as BSON types so that encoding gives the same bytes. */
export function decode(bytes: Buffer): Document {
  return BSON.deserialize(bytes, { promoteValues: false, promoteBuffers: false, bsonRegExp: true });
}

export function encode(document: Document): Buffer {
  return Buffer.from(BSON.serialize(document, { ignoreUndefined: true }));
}
