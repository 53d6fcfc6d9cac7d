import { type MaintenanceModeService } from '@platform/maintenance';
import { BootError } from '@platform/lifecycle';
import { type LogService } from '@platform/observability';
import { type Migration } from './migration';
import { type MigrationHistoryRepository } from './migration-history.repository';
import { toRefusal, requireOrder, compareMigrations } from './migration-order';

/** That the database is as this release stores things. A process that has one may work. */
export class SchemaVersionCheck {
  private constructor() {}

  /**
   * Looks before anything else touches the database. One that is new is marked as up to date, so that it never runs what was
   * made for older ones.
   * @throws BootError when a required migration is missing, or when a newer release has been here, or when a restore is not finished
   */
  static async pass(
    migrations: readonly Migration[],
    { marks, hold, log }: { marks: MigrationHistoryRepository; hold: MaintenanceModeService; log: LogService },
  ): Promise<SchemaVersionCheck> {
    requireOrder(migrations);
    await hold.requireWhole();
    let stand = compareMigrations(migrations, await marks.names());
    const isBehind = stand.pending.length > 0 && stand.unknown.length === 0;
    if (isBehind) {
      if (await marks.adopt(stand.pending.map(({ name }) => name))) return new SchemaVersionCheck();
      // Another process may have marked it meanwhile and begun to write: then it is not new any more, and up to date.
      stand = compareMigrations(migrations, await marks.names());
    }
    const refusal = toRefusal(stand);
    if (refusal !== null) throw new BootError(refusal);
    for (const { name, why } of stand.pending) log.warn('A migration waits to be run', { migration: name, why });
    return new SchemaVersionCheck();
  }
}
