import { type mongo } from 'mongoose';

export type Stored = mongo.BSON.Document & { _id: mongo.ObjectId };

const BATCH = 500;

/**
 * Passes matching documents to `work` in the order of their ids, some hundred at a time: one walk along the index of
 * `_id`, regardless of concurrent changes. A repeated run skips finished documents, because they no longer match.
 * @param work returns the number of changed documents
 * @returns the total number of changed documents
 */
export async function inBatches(
  collection: mongo.Collection,
  filter: mongo.Filter<mongo.BSON.Document>,
  signal: AbortSignal,
  work: (documents: Stored[]) => Promise<number>,
): Promise<number> {
  let changed = 0;
  for (let after: mongo.ObjectId | null = null; ;) {
    signal.throwIfAborted();
    const batch: Stored[] = await collection
      .find<Stored>(after === null ? filter : { $and: [filter, { _id: { $gt: after } }] })
      .sort({ _id: 1 })
      .limit(BATCH)
      .toArray();
    if (batch.length > 0) changed += await work(batch);
    after = batch.at(-1)?._id ?? null;
    if (batch.length < BATCH) return changed;
  }
}

/** Sets fields of documents, each only if it still matches the condition that requires the change. */
export async function setFields(
  collection: mongo.Collection,
  changes: readonly { _id: mongo.ObjectId; where: mongo.BSON.Document; set: mongo.BSON.Document }[],
): Promise<number> {
  if (changes.length === 0) return 0;
  const { modifiedCount } = await collection.bulkWrite(
    changes.map(({ _id, where, set }) => ({ updateOne: { filter: { _id, ...where }, update: { $set: set } } })),
    { ordered: false },
  );
  return modifiedCount;
}
