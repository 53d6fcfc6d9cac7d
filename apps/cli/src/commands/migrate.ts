import { MigrationService } from '@platform/migrations';
import { Command } from 'commander';
import { onDatabase, untilStopped } from '../command';

export function migrateCommands(): Command {
  const migrate = new Command('migrate').description(
    'manage database migrations (docs/operators/backups-and-upgrades.md)',
  );
  migrate
    .command('status')
    .description(
      'list applied and pending migrations, with the changes that pending ones would make; fails if any is pending',
    )
    .action((_options, command: Command) =>
      onDatabase(command, async (service) => {
        const status = await service(MigrationService).status();
        if (status.pending.length + status.unknown.length > 0) process.exitCode = 1;
        return status;
      }),
    );
  migrate
    .command('up')
    .description('run pending migrations; can be stopped and repeated, but not undone')
    .option('--dry-run', 'only report what they would change', false)
    .action(({ dryRun }: { dryRun: boolean }, command: Command) =>
      onDatabase(command, (service) => {
        const migrations = service(MigrationService);
        return dryRun ? migrations.status() : untilStopped((signal) => migrations.up(signal));
      }),
    );
  return migrate;
}
