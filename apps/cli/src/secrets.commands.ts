import { SecretRotation } from '@platform/secrets';
import { Command } from 'commander';
import { onPlatform } from './command';

export function secretsCommands(): Command {
  const secrets = new Command('secrets').description('what is stored encrypted');
  secrets
    .command('rotate')
    .description('seal everything anew that an older key of SECRET_KEYS sealed, and tell which keys are still in use')
    .option('--dry-run', 'only count', false)
    .action(({ dryRun }: { dryRun: boolean }, command: Command) =>
      onPlatform(command, async (service) => {
        const report = await service(SecretRotation).run({ dryRun });
        if (report.failed > 0) process.exitCode = 1;
        return report;
      }),
    );
  return secrets;
}
