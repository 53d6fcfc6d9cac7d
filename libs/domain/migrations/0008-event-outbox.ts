import { createHash } from 'node:crypto';
import { type Migration } from '@platform/migrations';
import { type mongo } from 'mongoose';
import { inBatches } from './batches';

/** Marked as due for relay by releases up to 0.2.0. */
const UNRELAYED = { relayAt: { $exists: true } };
const INDEX = 'relayAt_1';
const PARTITIONS = 64;

interface Entry {
  readonly _id: string;
}

/**
 * The entry of an event is derived from its id: a run that is killed between the entries and the marks finds the same entries.
 * No process of this release, which would relay them, runs before the migration has ended.
 */
export const eventOutbox: Migration = {
  name: '0008-event-outbox',
  why: 'Events that wait for relay are listed in an outbox, by workspace. Unrelayed events of the old release would never reach webhooks, chats, CRMs and figures.',
  isRequired: true,
  left: async (database) =>
    (await database.collection('events').countDocuments(UNRELAYED)) + ((await hasIndex(database)) ? 1 : 0),
  run: async (database, signal) => {
    signal.throwIfAborted();
    const events = database.collection('events');
    let changed = await inBatches(events, UNRELAYED, signal, async (unrelayed) => {
      await database.collection<Entry>('event_outbox').bulkWrite(unrelayed.map(toEntry), { ordered: false });
      const ids = unrelayed.map(({ _id }) => _id);
      const { modifiedCount } = await events.updateMany({ _id: { $in: ids } }, { $unset: { relayAt: 1 } });
      return modifiedCount;
    });
    if (!(await hasIndex(database))) return changed;
    await events.dropIndex(INDEX);
    changed += 1;
    return changed;
  },
};

function toEntry({ _id, workspaceId, createdAt, at }: mongo.BSON.Document): mongo.AnyBulkWriteOperation<Entry> {
  const workspace = String(workspaceId);
  const [first = 0] = createHash('sha1').update(workspace).digest();
  const partition = (first % PARTITIONS).toString(16).padStart(2, '0');
  return {
    updateOne: {
      filter: { _id: `${partition}:${workspace}:${String(_id)}` },
      update: { $setOnInsert: { workspaceId, eventIds: [_id], recordedAt: createdAt ?? at, attempts: 0 } as never },
      upsert: true,
    },
  };
}

async function hasIndex(database: mongo.Db): Promise<boolean> {
  const [events] = await database.listCollections({ name: 'events' }, { nameOnly: true }).toArray();
  if (!events) return false;
  return (await database.collection('events').indexes()).some(({ name }) => name === INDEX);
}
