import { type ClientSession, type Connection, type mongo } from 'mongoose';

/**
 * Runs `read` with a session whose reads all see the database at one time. MongoDB 5.0 and later has snapshot sessions, as
 * long as it keeps its history (`minSnapshotHistoryWindowInSeconds`, five minutes by default). DocumentDB has no snapshot
 * sessions; its transactions read one snapshot without a time limit.
 */
export async function readAtSnapshot<T>(
  connection: Connection,
  read: (session: ClientSession) => Promise<T>,
): Promise<T> {
  const client = connection.getClient();
  const isSnapshot = connection.db !== undefined && (await supportsSnapshotReads(connection.db));
  const session = client.startSession(isSnapshot ? { snapshot: true } : {});
  try {
    if (!isSnapshot) session.startTransaction({ readConcern: { level: 'snapshot' } });
    return await read(session);
  } finally {
    if (!isSnapshot) await session.abortTransaction().catch(() => undefined); // nothing was written
    await session.endSession();
  }
}

/** A server that supports snapshot reads returns their time; another server ignores the read concern. */
async function supportsSnapshotReads(database: mongo.Db): Promise<boolean> {
  const answer = await database.command({ find: 'leases', limit: 1, readConcern: { level: 'snapshot' } });
  const { atClusterTime, cursor } = answer as { atClusterTime?: unknown; cursor?: { atClusterTime?: unknown } };
  return (atClusterTime ?? cursor?.atClusterTime) !== undefined;
}
