import { type Migration } from './migration';

const NAME = /^\d{4}(-[a-z0-9]+)+$/;

/** What has been run and what has not, of the migrations that this release knows. */
export interface MigrationState {
  readonly applied: readonly string[];
  readonly pending: readonly Migration[];
  /** Run by a release that is newer than this one. */
  readonly unknown: readonly string[];
}

/** Compares what a release knows with what a database has seen. */
export function compareMigrations(known: readonly Migration[], applied: Iterable<string>): MigrationState {
  const seen = new Set(applied);
  const names = new Set(known.map(({ name }) => name));
  return {
    applied: [...seen].filter((name) => names.has(name)).sort(),
    pending: known.filter(({ name }) => !seen.has(name)),
    unknown: [...seen].filter((name) => !names.has(name)).sort(),
  };
}

/** @throws Error for names that are not `0001-words`, or whose numbers do not grow by one: a mistake of the release */
export function requireOrder(known: readonly Migration[]): void {
  known.forEach(({ name }, index) => {
    if (!NAME.test(name) || Number(name.slice(0, 4)) !== index + 1) {
      throw new Error(`Migration ${name} is not named ${String(index + 1).padStart(4, '0')}-what-it-does`);
    }
  });
}

/** Why a process of this release must not work on the database; null when it may. */
export function toRefusal({ pending, unknown }: MigrationState): string | null {
  if (unknown.length > 0) {
    return (
      `The database belongs to a newer release: it has seen ${unknown.join(', ')}, which this one does not know. ` +
      'Start that release, or restore a backup that this one made (docs/operators/backups-and-upgrades.md)'
    );
  }
  const missing = pending.filter(({ isRequired }) => isRequired).map(({ name }) => name);
  if (missing.length === 0) return null;
  return (
    `The database is of an older release: ${missing.join(', ')} must be run first. ` +
    'Make a backup, then `outreach migrate up` (docs/operators/backups-and-upgrades.md)'
  );
}
