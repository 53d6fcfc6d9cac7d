import { driverConnection } from '@platform/database';

interface Commands {
  command(namespace: { db: string }, command: Readonly<Record<string, unknown>>, ...rest: unknown[]): Promise<unknown>;
}

const WRITES = ['insert', 'update', 'delete', 'findAndModify'] as const;
/** After these a write makes collections that have no index. */
const REMOVALS = ['drop', 'dropDatabase', 'dropIndexes'] as const;

/** By name of the database, where this process has written since it was last asked. */
const written = new Map<string, Set<string>>();

/** Names of databases in which this process has removed more than documents. */
const diminished = new Set<string>();

/** Below Mongoose and the driver's collections: nobody writes past it. */
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

/** The collections of a database that this process has written to since it was last asked. */
export function writtenCollections(database: string): string[] {
  const collections = [...(written.get(database) ?? [])];
  written.delete(database);
  return collections;
}

/** Whether this process has removed collections or indexes of the database. */
export function isDiminished(database: string): boolean {
  return diminished.has(database);
}
