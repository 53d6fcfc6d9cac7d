import { driverConnection } from '@platform/database';

interface Commands {
  command(namespace: { db: string }, command: Readonly<Record<string, unknown>>, ...rest: unknown[]): Promise<unknown>;
}

const WRITES = ['insert', 'update', 'delete', 'findAndModify'] as const;
/** Commands that drop indexes: a later write may create a collection without them. */
const REMOVALS = ['drop', 'dropDatabase', 'dropIndexes'] as const;

/** Collections that this process has written since the last call of `writtenCollections`, by name of the database. */
const written = new Map<string, Set<string>>();

/** Names of databases in which this process has dropped collections or indexes. */
const diminished = new Set<string>();

/** The lowest level of the driver, which all writes pass. */
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

/** Returns the collections of a database that this process has written to since the last call. */
export function writtenCollections(database: string): string[] {
  const collections = [...(written.get(database) ?? [])];
  written.delete(database);
  return collections;
}

/** Whether this process has dropped collections or indexes of the database. */
export function isDiminished(database: string): boolean {
  return diminished.has(database);
}
