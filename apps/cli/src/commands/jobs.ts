import { DeadJobQueue } from '@platform/queues';
import { Command } from 'commander';
import { onPlatform, parseWholeNumber } from '../command';

export function jobsCommands(): Command {
  const jobs = new Command('jobs').description('manage dead jobs');
  jobs
    .command('dead')
    .description('list dead jobs with their last failure, newest first')
    .option('--limit <number>', 'maximum number of entries', parseWholeNumber, 50)
    .action(({ limit }: { limit: number }, command: Command) =>
      onPlatform(command, (service) => service(DeadJobQueue).newest(limit)),
    );
  jobs
    .command('retry <id>')
    .description('return a dead job to its queue')
    .action((id: string, _options, command: Command) =>
      onPlatform(command, async (service) => {
        await service(DeadJobQueue).retry(id);
        return 'The job is back in its queue';
      }),
    );
  return jobs;
}
