import { type mongo } from 'mongoose';

/** Every document of a database, except leases and the times of the last key use. */
export async function readContent(database: mongo.Db): Promise<Record<string, Record<string, unknown>[]>> {
  const names = (await database.listCollections().toArray())
    .map(({ name }) => name)
    .filter((name) => name !== 'leases');
  const entries: [name: string, documents: object[]][] = [];
  // One after the other: parallel reads would wait for pool connections, on a busy machine longer than allowed.
  for (const name of names.sort()) {
    const documents = await database.collection(name).find().sort({ _id: 1 }).toArray();
    entries.push([name, documents.map(({ lastUsedAt: _noted, ...kept }) => kept)]);
  }
  return JSON.parse(JSON.stringify(Object.fromEntries(entries))) as Record<string, Record<string, unknown>[]>;
}
