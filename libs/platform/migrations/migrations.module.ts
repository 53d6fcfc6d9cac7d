import { type DynamicModule, Module } from '@nestjs/common';
import { DatabaseModule } from '@platform/database';
import { MaintenanceModeService, MaintenanceModule } from '@platform/maintenance';
import { LogService } from '@platform/observability';
import { type Migration } from './migration';
import { MigrationHistoryRepository } from './migration-history.repository';
import { MigrationRecord } from './migration.record';
import { MigrationService, MIGRATIONS } from './migration.service';
import { SchemaVersionCheck } from './schema-version-check';

@Module({})
export class MigrationsModule {
  /** For commands that run migrations: starts on any database. */
  static of(known: readonly Migration[]): DynamicModule {
    return {
      module: MigrationsModule,
      imports: [DatabaseModule.collections(MigrationRecord), MaintenanceModule],
      providers: [MigrationHistoryRepository, MigrationService, { provide: MIGRATIONS, useValue: known }],
      exports: [MigrationHistoryRepository, MigrationService, MaintenanceModule],
    };
  }

  /** For processes that use the records: does not start on a database of another release. */
  static required(known: readonly Migration[]): DynamicModule {
    return {
      module: RequiredMigrationsModule,
      imports: [MigrationsModule.of(known)],
      providers: [
        {
          // Created with the dependency graph, before any life-cycle hook runs.
          provide: SchemaVersionCheck,
          inject: [MigrationHistoryRepository, MaintenanceModeService, LogService],
          useFactory: (marks: MigrationHistoryRepository, maintenance: MaintenanceModeService, log: LogService) =>
            SchemaVersionCheck.pass(known, { marks, maintenance, log }),
        },
      ],
    };
  }
}

@Module({})
class RequiredMigrationsModule {}
