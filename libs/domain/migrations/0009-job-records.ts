import { type Migration } from '@platform/migrations';
import { type mongo } from 'mongoose';

/** The collections of job records, and how a queued job named the record. */
const JOBS = [
  { queue: 'lead-import', collection: 'lead_imports', idField: 'importId' },
  { queue: 'blacklist-test', collection: 'blacklist_tests', idField: 'testId' },
];

/** A job without a lease: no worker would continue it. */
const UNPLANNED = { open: true, leaseUntil: { $exists: false } };
/** Only the former sweep used it. */
const OLD_INDEX = { collection: 'blacklist_tests', name: 'open_1_createdAt_1' };

export const jobRecords: Migration = {
  name: '0009-job-records',
  why: 'Open imports and blacklist tests get a lease and a next run of their own, with which workers continue them.',
  isRequired: true,
  left: async (database) => {
    const counts = listUpdates(database).map(({ collection, filter }) => collection.countDocuments(filter));
    return (await Promise.all(counts)).reduce((sum, count) => sum + count, Number(await hasOldIndex(database)));
  },
  run: async (database, signal) => {
    let changed = 0;
    for (const { collection, filter, update } of listUpdates(database)) {
      signal.throwIfAborted();
      changed += (await collection.updateMany(filter, update)).modifiedCount;
    }
    if (!(await hasOldIndex(database))) return changed;
    await database.collection(OLD_INDEX.collection).dropIndex(OLD_INDEX.name);
    return changed + 1;
  },
};

function listUpdates(database: mongo.Db) {
  // Due since its creation: repeated after a kill, the migration has the same result.
  const planned = { holder: '', fence: 0, leaseUntil: new Date(0), nextAt: '$createdAt' };
  return JOBS.flatMap(({ queue, collection, idField }) => [
    { collection: database.collection(collection), filter: UNPLANNED as object, update: [{ $set: planned }] },
    {
      // A job that was given up is enqueued again with this payload.
      collection: database.collection('dead_jobs'),
      filter: { queue, [`payload.${idField}`]: { $exists: true } },
      update: { $rename: { [`payload.${idField}`]: 'payload.partitionId' } },
    },
  ]);
}

async function hasOldIndex(database: mongo.Db): Promise<boolean> {
  const { collection, name } = OLD_INDEX;
  if (!(await database.listCollections({ name: collection }).hasNext())) return false;
  return (await database.collection(collection).indexes()).some((index) => index.name === name);
}
