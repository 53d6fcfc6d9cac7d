import { type Model, Types } from 'mongoose';

/** What became of ids, by their hexadecimal digits. */
export type NewIds = Map<string, Types.ObjectId>;

/**
 * Inserts records that are like these, which services have made, as they are stored: a workspace with a mailbox and a
 * campaign takes the services fifty commands each time.
 * @param ids of other records that are referred to; those that the new records and their parts have are added
 */
export async function insertLike<T>(model: Model<T>, records: readonly T[], ids: NewIds): Promise<T[]> {
  renew(records, ids);
  const like = copyOf(records, ids) as T[];
  if (like.length > 0) await model.collection.insertMany(like as object[]);
  return like;
}

/** Records as they are stored. */
export async function stored<T>(model: Model<T>, filter: object): Promise<T[]> {
  return (await model.collection.find(filter).toArray()) as T[];
}

function renew(value: unknown, ids: NewIds): void {
  if (Array.isArray(value)) for (const one of value) renew(one, ids);
  if (!isPlain(value)) return;
  const id = value['_id'];
  if (id instanceof Types.ObjectId && !ids.has(id.toHexString())) ids.set(id.toHexString(), new Types.ObjectId());
  for (const one of Object.values(value)) renew(one, ids);
}

function copyOf(value: unknown, ids: NewIds): unknown {
  if (value instanceof Types.ObjectId) return ids.get(value.toHexString()) ?? value;
  if (Array.isArray(value)) return value.map((one) => copyOf(one, ids));
  if (!isPlain(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, copyOf(one, ids)]));
}

function isPlain(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype;
}
