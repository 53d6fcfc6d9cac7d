import { Migrations } from '@platform/migrations';
import { Command } from 'commander';
import { onDatabase, untilStopped } from './command';

export function migrateCommands(): Command {
  const migrate = new Command('migrate').description(
    'what this release expects of a database (docs/operators/backups-and-upgrades.md)',
  );
  migrate
    .command('status')
    .description('which migrations the database has seen and what the others would change; fails when some are missing')
    .action((_options, command: Command) =>
      onDatabase(command, async (service) => {
        const status = await service(Migrations).status();
        if (status.pending.length + status.unknown.length > 0) process.exitCode = 1;
        return status;
      }),
    );
  migrate
    .command('up')
    .description('run those that are missing; can be stopped and repeated, and goes forward only')
    .option('--dry-run', 'only tell what they would change', false)
    .action(({ dryRun }: { dryRun: boolean }, command: Command) =>
      onDatabase(command, (service) => {
        const migrations = service(Migrations);
        return dryRun ? migrations.status() : untilStopped((signal) => migrations.up(signal));
      }),
    );
  return migrate;
}
