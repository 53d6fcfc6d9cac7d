import { SecretRotationService } from '@platform/secrets';
import { Command } from 'commander';
import { onPlatform } from '../command';

export function secretsCommands(): Command {
  const secrets = new Command('secrets').description('manage encrypted data');
  secrets
    .command('rotate')
    .description(
      'encrypt all values of older keys again with the first key of SECRET_KEYS, and report the keys still in use',
    )
    .option('--dry-run', 'only count the values', false)
    .action(({ dryRun }: { dryRun: boolean }, command: Command) =>
      onPlatform(command, async (service) => {
        const report = await service(SecretRotationService).run({ dryRun });
        if (report.failed > 0) process.exitCode = 1;
        return report;
      }),
    );
  return secrets;
}
