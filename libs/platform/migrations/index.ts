export { type Migration } from './migration';
export { MigrationMarks } from './migration.marks.service';
export { Migrations, type MigrationRun, type MigrationStatus } from './migrations.service';
export { MigrationsModule } from './migrations.module';
