import { BSON, type Document } from 'bson';
import { decode, type Call } from './call.mts';
import type { Query, Reply } from './handler.mts';
import { describeDuplicate, operationsElement, listOperations } from './duplicate-keys.mts';
import {
  DUPLICATE_KEY,
  fromSqlState,
  isConflictCode,
  isForgottenNow,
  unpackSqlState,
  WRITE_CONFLICT,
} from './errors.mts';
import { assemble, elements } from './raw-bson.mts';

/** Gives each write error MongoDB's code, and duplicate keys their index. */
export async function repairWriteErrors(call: Call, reply: Buffer, query: Query): Promise<Reply> {
  const decoded = decode(reply);
  const writeErrors = (decoded['writeErrors'] as Document[] | undefined) ?? [];
  const operations = writeErrors.length > 0 ? listOperations(call) : [];
  for (const error of writeErrors) {
    const state = unpackSqlState(Number(String(error['code'])));
    const mapped = state ? fromSqlState(state, String(error['errmsg'])) : undefined;
    if (mapped) Object.assign(error, { code: mapped.code, errmsg: mapped.errmsg });
    if (isForgottenNow(String(error['errmsg']))) error['code'] = WRITE_CONFLICT;
    if (Number(String(error['code'])) !== DUPLICATE_KEY) continue;
    const operation = operations[Number(String(error['index']))];
    const write = operation ? BSON.deserialize(operation) : {};
    Object.assign(error, await describeDuplicate(call, String(error['errmsg']), write, query));
  }
  return decoded;
}

export function toWriteErrors(reply: Reply): Document[] {
  return Buffer.isBuffer(reply) ? [] : ((reply['writeErrors'] as Document[] | undefined) ?? []);
}

export function hasDuplicate(reply: Reply): boolean {
  return toWriteErrors(reply).some((error) => Number(String(error['code'])) === DUPLICATE_KEY);
}

/** One upsert and nothing else, so that nothing else is repeated with it. */
export function isLoneUpsert(call: Call): boolean {
  if (call.kind === 'findandmodify') return isTrue(decode(call.bson)['upsert']);
  if (call.kind !== 'update') return false;
  const operations = listOperations(call);
  return operations.length === 1 && isTrue(decode(operations[0] as Buffer)['upsert']);
}

const isTrue = (value: unknown): boolean => value === true || Number(String(value)) === 1;

/** A conflict that DocumentDB reports as the fate of one operation. */
export function hasConflict(reply: Reply): boolean {
  return toWriteErrors(reply).some((error) => isConflictCode(Number(String(error['code']))));
}

/**
 * Runs the operations of one write command as statements of their own. In MongoDB each operation stands alone, so two
 * bulk writes over the same documents in opposite order never block each other for good; as one SQL statement they do.
 */
export async function oneByOne(call: Call, run: (single: Call) => Promise<Reply>): Promise<Reply> {
  const array = operationsElement(call);
  const base = elements(call.bson).filter(({ start }) => start !== array?.start);
  const ordered = (decode(call.bson)['ordered'] as boolean | undefined) ?? true;
  const merged: Document = { ok: 1, n: 0 };
  const errors: Document[] = [];
  const upserted: Document[] = [];
  for (const [index, operation] of listOperations(call).entries()) {
    const single = { ...call, bson: assemble(call.bson, base), sequence: operation, transactionNumber: undefined };
    const reply = await run(single);
    const decoded = Buffer.isBuffer(reply) ? BSON.deserialize(reply) : reply;
    for (const counter of ['n', 'nModified']) {
      if (decoded[counter] !== undefined)
        merged[counter] = Number(merged[counter] ?? 0) + Number(String(decoded[counter]));
    }
    upserted.push(...((decoded['upserted'] as Document[] | undefined) ?? []).map((one) => ({ ...one, index })));
    errors.push(...((decoded['writeErrors'] as Document[] | undefined) ?? []).map((one) => ({ ...one, index })));
    if (ordered && errors.length > 0) break;
  }
  return { ...merged, ...(upserted.length > 0 && { upserted }), ...(errors.length > 0 && { writeErrors: errors }) };
}
