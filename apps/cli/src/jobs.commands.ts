import { DeadJobs } from '@platform/queues';
import { Command } from 'commander';
import { onPlatform, wholeNumber } from './command';

export function jobsCommands(): Command {
  const jobs = new Command('jobs').description('jobs that were given up');
  jobs
    .command('dead')
    .description('list them, newest first, with their last failure')
    .option('--limit <number>', 'how many', wholeNumber, 50)
    .action(({ limit }: { limit: number }, command: Command) =>
      onPlatform(command, (service) => service(DeadJobs).newest(limit)),
    );
  jobs
    .command('retry <id>')
    .description('put one back into its queue')
    .action((id: string, _options, command: Command) =>
      onPlatform(command, async (service) => {
        await service(DeadJobs).retry(id);
        return 'The job is back in its queue';
      }),
    );
  return jobs;
}
