import { type ClientSession, type Connection, type mongo } from 'mongoose';

/**
 * Runs `read` such that all that it reads by its session is of one moment, whatever is written meanwhile. MongoDB offers
 * sessions for this (snapshot reads, 5.0 and later), for as long as it keeps its history: five minutes, unless
 * `minSnapshotHistoryWindowInSeconds` says otherwise. DocumentDB has no such sessions; its transactions read one moment and
 * have no limit.
 */
export async function atSnapshot<T>(connection: Connection, read: (session: ClientSession) => Promise<T>): Promise<T> {
  const client = connection.getClient();
  const isSnapshot = connection.db !== undefined && (await offersSnapshots(connection.db));
  const session = client.startSession(isSnapshot ? { snapshot: true } : {});
  try {
    if (!isSnapshot) session.startTransaction({ readConcern: { level: 'snapshot' } });
    return await read(session);
  } finally {
    if (!isSnapshot) await session.abortTransaction().catch(() => undefined); // it has written nothing
    await session.endSession();
  }
}

/** A server that reads at a moment says at which; one that does not know the read concern ignores it. */
async function offersSnapshots(database: mongo.Db): Promise<boolean> {
  const answer = await database.command({ find: 'leases', limit: 1, readConcern: { level: 'snapshot' } });
  const { atClusterTime, cursor } = answer as { atClusterTime?: unknown; cursor?: { atClusterTime?: unknown } };
  return (atClusterTime ?? cursor?.atClusterTime) !== undefined;
}
