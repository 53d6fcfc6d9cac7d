import { type mongo } from 'mongoose';

/** Every document of a database, apart from leases and from the notes when a key was last used. */
export async function contentOf(database: mongo.Db): Promise<Record<string, Record<string, unknown>[]>> {
  const names = (await database.listCollections().toArray())
    .map(({ name }) => name)
    .filter((name) => name !== 'leases');
  const entries = await Promise.all(
    names.sort().map(async (name) => {
      const documents = await database.collection(name).find().sort({ _id: 1 }).toArray();
      return [name, documents.map(({ lastUsedAt: _noted, ...kept }) => kept)] as const;
    }),
  );
  return JSON.parse(JSON.stringify(Object.fromEntries(entries))) as Record<string, Record<string, unknown>[]>;
}
