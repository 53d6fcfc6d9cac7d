export { type Migration } from './migration';
export { MigrationHistoryRepository } from './migration-history.repository';
export { MigrationService, type MigrationRun, type MigrationStatus } from './migration.service';
export { MigrationsModule } from './migrations.module';
