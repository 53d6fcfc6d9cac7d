import { type DynamicModule, Module } from '@nestjs/common';
import { DatabaseModule } from '@platform/database';
import { Hold, HoldModule } from '@platform/hold';
import { Log } from '@platform/observability';
import { type Migration } from './migration';
import { MigrationMarks } from './migration.marks.service';
import { MigrationRecord } from './migration.record';
import { Migrations, MIGRATIONS } from './migrations.service';
import { SchemaCheck } from './schema.check';

@Module({})
export class MigrationsModule {
  /** For what runs migrations: it starts on any database. */
  static of(known: readonly Migration[]): DynamicModule {
    return {
      module: MigrationsModule,
      imports: [DatabaseModule.collections(MigrationRecord), HoldModule],
      providers: [MigrationMarks, Migrations, { provide: MIGRATIONS, useValue: known }],
      exports: [MigrationMarks, Migrations, HoldModule],
    };
  }

  /** For what works on the records: it does not start on a database of another release. */
  static required(known: readonly Migration[]): DynamicModule {
    return {
      module: RequiredMigrationsModule,
      imports: [MigrationsModule.of(known)],
      providers: [
        {
          // Made while the process is put together, before any part of it is told to begin.
          provide: SchemaCheck,
          inject: [MigrationMarks, Hold, Log],
          useFactory: (marks: MigrationMarks, hold: Hold, log: Log) => SchemaCheck.pass(known, { marks, hold, log }),
        },
      ],
    };
  }
}

@Module({})
class RequiredMigrationsModule {}
