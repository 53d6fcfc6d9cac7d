import { driverConnection } from '@platform/database';

interface Commands {
  command(namespace: { db: string }, command: Readonly<Record<string, unknown>>, ...rest: unknown[]): Promise<unknown>;
}

const WRITES = ['insert', 'update', 'delete', 'findAndModify'] as const;
/** Commands after which a write creates collections without indexes. */
const REMOVALS = ['drop', 'dropDatabase', 'dropIndexes'] as const;

/** By database name, the collections that this process wrote to since the last read. */
const written = new Map<string, Set<string>>();

/** Names of databases in which this process removed more than documents. */
const diminished = new Set<string>();

/** Below Mongoose and the collections of the driver, so every write passes here. */
const connection = driverConnection().prototype as unknown as Commands;
const { command: original } = connection;
connection.command = function (namespace, command, ...rest) {
  for (const write of WRITES) {
    const collection = command[write];
    if (typeof collection === 'string') note(namespace.db, collection);
  }
  if (REMOVALS.some((removal) => removal in command)) diminished.add(namespace.db);
  return original.call(this, namespace, command, ...rest);
};

function note(database: string, collection: string): void {
  const collections = written.get(database) ?? new Set<string>();
  written.set(database, collections.add(collection));
}

/** The collections of a database that this process wrote to since the last call. */
export function writtenCollections(database: string): string[] {
  const collections = [...(written.get(database) ?? [])];
  written.delete(database);
  return collections;
}

/** Whether this process removed collections or indexes of the database. */
export function isDiminished(database: string): boolean {
  return diminished.has(database);
}
