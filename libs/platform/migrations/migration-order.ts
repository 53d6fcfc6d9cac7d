import { type Migration } from './migration';

const NAME = /^\d{4}(-[a-z0-9]+)+$/;

/** The migrations of a database, compared with those of this release. */
export interface MigrationState {
  readonly applied: readonly string[];
  readonly pending: readonly Migration[];
  /** Applied by a newer release. */
  readonly unknown: readonly string[];
}

/** Compares the migrations of this release with those that a database has applied. */
export function compareMigrations(known: readonly Migration[], applied: Iterable<string>): MigrationState {
  const done = new Set(applied);
  const names = new Set(known.map(({ name }) => name));
  return {
    applied: [...done].filter((name) => names.has(name)).sort(),
    pending: known.filter(({ name }) => !done.has(name)),
    unknown: [...done].filter((name) => !names.has(name)).sort(),
  };
}

/** @throws Error for a name that is not like `0001-what-it-does`, or a gap in the numbers: a mistake of the release */
export function requireOrder(known: readonly Migration[]): void {
  known.forEach(({ name }, index) => {
    if (!NAME.test(name) || Number(name.slice(0, 4)) !== index + 1) {
      throw new Error(`Migration ${name} is not named ${String(index + 1).padStart(4, '0')}-what-it-does`);
    }
  });
}

/** Returns why a process of this release must not use the database, or null. */
export function getMigrationFault({ pending, unknown }: MigrationState): string | null {
  if (unknown.length > 0) {
    return (
      `The database belongs to a newer release: this release does not know its migrations ${unknown.join(', ')}. ` +
      'Start the newer release, or restore a backup of this one (docs/operators/backups-and-upgrades.md)'
    );
  }
  const missing = pending.filter(({ isRequired }) => isRequired).map(({ name }) => name);
  if (missing.length === 0) return null;
  return (
    `The database belongs to an older release: the migrations ${missing.join(', ')} have to run first. ` +
    'Make a backup, then run `outreach migrate up` (docs/operators/backups-and-upgrades.md)'
  );
}
