import { BSON, type Document } from 'bson';
import type { Call } from './call.mts';
import { DUPLICATE_KEY, type MongoError } from './errors.mts';
import type { Query } from './handler.mts';
import { elements, splitDocuments, type RawElement } from './raw-bson.mts';

/** The details that MongoDB adds to a duplicate-key error, by which applications identify the violated index. */
export interface DuplicateKey {
  errmsg: string;
  keyPattern?: Document;
  keyValue?: Document;
}

const INDEX_OF = `SELECT (i.index_spec).index_name, (i.index_spec).index_key::bytea
  FROM documentdb_api_catalog.collection_indexes i JOIN documentdb_api_catalog.collections c USING (collection_id)
  WHERE c.database_name = $1 AND c.collection_name = $2 AND ((i.index_spec).index_name = $3 OR i.index_id = $4)`;

/** DocumentDB names the index, or only its number when PostgreSQL itself reports the violation. */
export async function describeDuplicate(
  call: Call,
  message: string,
  write: Document,
  query: Query,
): Promise<DuplicateKey> {
  const name = /Index '(.+)'/.exec(message)?.[1] ?? null;
  const number = /documents_rum_index_(\d+)/.exec(message)?.[1] ?? null;
  const rows = (name ?? number) ? await query(INDEX_OF, [call.db, call.collection, name, number]).catch(() => []) : [];
  const [indexName, key] = (rows[0] ?? []) as [string?, Buffer?];
  const where = `E11000 duplicate key error collection: ${call.db}.${call.collection}`;
  if (!indexName || !key) return { errmsg: name ? `${where} index: ${name}` : `${where} (${message})` };
  const keyPattern = BSON.deserialize(key);
  const keyValue = findKeyValue(Object.keys(keyPattern), write);
  const shown = keyValue ? ` dup key: ${show(keyValue)}` : '';
  return { errmsg: `${where} index: ${indexName}${shown}`, keyPattern, ...(keyValue && { keyValue }) };
}

/** The error of a whole command (findAndModify, createIndexes), completed. */
export async function completeDuplicate(
  call: Call,
  error: MongoError,
  query: Query,
): Promise<MongoError & Partial<DuplicateKey>> {
  if (error.code !== DUPLICATE_KEY) return error;
  return {
    ...error,
    ...(await describeDuplicate(
      call,
      error.errmsg,
      call.kind === 'findandmodify' ? BSON.deserialize(call.bson) : {},
      query,
    )),
  };
}

const ARRAYS: Record<string, string> = { insert: 'documents', update: 'updates', delete: 'deletes' };

/** The array of a write command inside its body, when it did not arrive as a sequence. */
export function operationsElement(call: Call): RawElement | undefined {
  return elements(call.bson).find(({ name }) => name === ARRAYS[call.kind]);
}

/** The operations of a write command, undecoded. */
export function listOperations(call: Call): Buffer[] {
  if (call.sequence) return splitDocuments(call.sequence);
  const array = operationsElement(call);
  return array ? elements(call.bson, array.value).map(({ value, end }) => call.bson.subarray(value, end)) : [];
}

/** The value of each key field in the operation; undefined when a value is missing. */
export function findKeyValue(fields: string[], write: Document): Document | undefined {
  const isUpdate = 'u' in write || 'update' in write || 'findAndModify' in write;
  const update = (write['u'] ?? write['update'] ?? {}) as Document;
  const filter = (write['q'] ?? write['query'] ?? {}) as Document;
  const sources = isUpdate ? [update['$set'], update['$setOnInsert'], update, filter] : [write];
  const value: Document = {};
  for (const field of fields) {
    const found = sources.map((source: unknown) => at(source, field)).find((candidate) => candidate !== undefined);
    // A missing field is indexed as null, but an update may keep the value of the document.
    if (found === undefined && isUpdate) return undefined;
    if (Array.isArray(found) || hasOperator(found)) return undefined;
    value[field] = found ?? null;
  }
  return fields.length > 0 && (isUpdate || Object.keys(write).length > 0) ? value : undefined;
}

function at(source: unknown, path: string): unknown {
  if (source === null || typeof source !== 'object') return undefined;
  const whole = (source as Document)[path] as unknown;
  if (whole !== undefined) return whole;
  return path.split('.').reduce<unknown>((value, part) => (value as Document | null | undefined)?.[part], source);
}

function hasOperator(value: unknown): boolean {
  return typeof value === 'object' && value !== null && Object.keys(value).some((key) => key.startsWith('$'));
}

function show(value: Document): string {
  const parts = Object.entries(value).map(([name, one]) => `${name}: ${JSON.stringify(one)}`);
  return `{ ${parts.join(', ')} }`;
}
