import { Release } from '@domain/recovery';
import { Backups, Restores } from '@platform/backup';
import { Command, InvalidArgumentError } from 'commander';
import { onDatabase, onPlatform, untilStopped } from './command';

export function backupCommand(): Command {
  return new Command('backup')
    .description(
      'write all that is stored into a file, as it is at one moment; everything may go on (docs/operators/backups-and-upgrades.md)',
    )
    .argument('<file>', 'must not be there yet')
    .action((file: string, _options, command: Command) =>
      onDatabase(command, (service) => untilStopped((signal) => service(Backups).write(file, signal))),
    );
}

export function restoreCommand(): Command {
  return new Command('restore')
    .description('write a backup into the database and hold everything back; all processes must be stopped')
    .argument('<file>')
    .option('--drop', 'delete what is stored first', false)
    .option('--check', 'only read the file and say whether it is whole', false)
    .action((file: string, { drop, check }: { drop: boolean; check: boolean }, command: Command) =>
      onDatabase(command, (service) =>
        check ? service(Restores).verify(file) : service(Restores).run(file, { drop }),
      ),
    );
}

export function holdCommand(): Command {
  return new Command('hold')
    .description('hold everything back after a restore by other means, such as mongorestore; before any process starts')
    .requiredOption('--backup-of <time>', 'the moment of which the database is', moment)
    .action(({ backupOf }: { backupOf: Date }, command: Command) =>
      onDatabase(command, (service) => service(Restores).restoredOtherwise(backupOf)),
    );
}

export function releaseCommand(): Command {
  return new Command('release')
    .description('let a restored installation go on, after setting aside what may have been sent since its backup')
    .option(
      '--stopped-at <time>',
      'when the lost one had stopped at the latest (default: when it was restored)',
      moment,
    )
    .option('--nothing-was-sent', 'it had stood still since the backup: set nothing aside', false)
    .action((options: { stoppedAt?: Date; nothingWasSent: boolean }, command: Command) =>
      onPlatform(command, (service) => service(Release).run(options)),
    );
}

function moment(text: string): Date {
  const at = new Date(text);
  if (!/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}.*(Z|[+-]\d{2}:\d{2})$/.test(text) || Number.isNaN(at.getTime())) {
    throw new InvalidArgumentError('It must be a time with its zone, such as 2026-11-22T10:00:00Z.');
  }
  return at;
}
