import { type MaintenanceModeService } from '@platform/maintenance';
import { BootError } from '@platform/lifecycle';
import { type LogService } from '@platform/observability';
import { type Migration } from './migration';
import { type MigrationHistoryRepository } from './migration-history.repository';
import { getMigrationFault, requireOrder, compareMigrations } from './migration-order';

/** Proof that the database has the schema of this release. */
export class SchemaVersionCheck {
  private constructor() {}

  /**
   * Checks the database before anything else uses it. An empty database is marked as up to date, so that it runs no migration
   * for older data.
   * @throws BootError when a required migration is pending, the database is of a newer release, or a restore is incomplete
   */
  static async pass(
    migrations: readonly Migration[],
    {
      marks,
      maintenance,
      log,
    }: { marks: MigrationHistoryRepository; maintenance: MaintenanceModeService; log: LogService },
  ): Promise<SchemaVersionCheck> {
    requireOrder(migrations);
    await maintenance.requireWhole();
    let state = compareMigrations(migrations, await marks.names());
    const isBehind = state.pending.length > 0 && state.unknown.length === 0;
    if (isBehind) {
      if (await marks.adopt(state.pending.map(({ name }) => name))) return new SchemaVersionCheck();
      // Another process may have marked it in the meantime: then it is up to date and no longer empty.
      state = compareMigrations(migrations, await marks.names());
    }
    const refusal = getMigrationFault(state);
    if (refusal !== null) throw new BootError(refusal);
    for (const { name, why } of state.pending) log.warn('A migration is pending', { migration: name, why });
    return new SchemaVersionCheck();
  }
}
