import { type Model, Types } from 'mongoose';

/** New ids by the hexadecimal digits of the original ids. */
export type NewIds = Map<string, Types.ObjectId>;

/**
 * Inserts copies of stored records that services have created. A workspace with a mailbox and a campaign takes the
 * services fifty commands each time.
 * @param ids new ids of referenced records; the ids of the new records and their parts are added
 */
export async function insertLike<T>(model: Model<T>, records: readonly T[], ids: NewIds): Promise<T[]> {
  renew(records, ids);
  const like = copyOf(records, ids) as T[];
  if (like.length > 0) await model.collection.insertMany(like as object[]);
  return like;
}

/** Returns records as they are stored. */
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
