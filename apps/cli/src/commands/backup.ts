import { RestoreReconcilerService } from '@domain/recovery';
import { BackupService, RestoreService } from '@platform/backup';
import { Command, InvalidArgumentError } from 'commander';
import { onDatabase, onPlatform, untilStopped } from '../command';

export function backupCommand(): Command {
  return new Command('backup')
    .description(
      'write all stored data of one moment to a file; processes may keep running (docs/operators/backups-and-upgrades.md)',
    )
    .argument('<file>', 'must not exist yet')
    .action((file: string, _options, command: Command) =>
      onDatabase(command, (service) => untilStopped((signal) => service(BackupService).write(file, signal))),
    );
}

export function restoreCommand(): Command {
  return new Command('restore')
    .description('write a backup into the database and start maintenance mode; all processes must be stopped')
    .argument('<file>', 'file written by the backup command')
    .option('--drop', 'delete the stored data first', false)
    .option('--check', 'only read the file and report whether it is complete', false)
    .action((file: string, { drop, check }: { drop: boolean; check: boolean }, command: Command) =>
      onDatabase(command, (service) =>
        check ? service(RestoreService).verify(file) : service(RestoreService).run(file, { drop }),
      ),
    );
}

/** In maintenance mode nothing is sent: a restored database does not know what was sent since its backup. */
export function maintenanceCommands(): Command {
  return new Command('maintenance')
    .description('start and end maintenance mode, in which nothing is sent (docs/operators/backups-and-upgrades.md)')
    .addCommand(startCommand('start'))
    .addCommand(endCommand('end'));
}

/** Names up to 0.2.0; the next release refuses them. */
export function formerMaintenanceCommands(): Command[] {
  return [
    startCommand('hold').hook('preAction', () => warn('hold', 'maintenance start')),
    endCommand('release').hook('preAction', () => warn('release', 'maintenance end')),
  ];
}

function warn(former: string, current: string): void {
  process.stderr.write(`outreach ${former} is now outreach ${current}; the next release refuses the former name\n`);
}

function startCommand(name: string): Command {
  return new Command(name)
    .description('start it after a restore by other tools, such as mongorestore; run it before any process starts')
    .requiredOption('--backup-of <time>', 'the time of the backup that the database was restored from', parseTime)
    .action(({ backupOf }: { backupOf: Date }, command: Command) =>
      onDatabase(command, (service) => service(RestoreService).startMaintenance(backupOf)),
    );
}

function endCommand(name: string): Command {
  return new Command(name)
    .description('end it, after reconciling emails that may have been sent since the backup')
    .option(
      '--stopped-at <time>',
      'latest time at which the lost installation stopped (default: the time of the restore)',
      parseTime,
    )
    .option('--nothing-was-sent', 'the installation did not run since the backup: reconcile nothing', false)
    .action((options: { stoppedAt?: Date; nothingWasSent: boolean }, command: Command) =>
      onPlatform(command, (service) => service(RestoreReconcilerService).release(options)),
    );
}

function parseTime(text: string): Date {
  const at = new Date(text);
  if (!/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}.*(Z|[+-]\d{2}:\d{2})$/.test(text) || Number.isNaN(at.getTime())) {
    throw new InvalidArgumentError('It must be a time with its zone, such as 2026-11-22T10:00:00Z.');
  }
  return at;
}
