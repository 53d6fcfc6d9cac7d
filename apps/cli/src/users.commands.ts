import { UsersService } from '@domain/users';
import { Command } from 'commander';
import { onPlatform, wholeNumber } from './command';

export function usersCommands(): Command {
  const users = new Command('users').description('people of the installation');
  users
    .command('create')
    .requiredOption('--email <address>')
    .requiredOption('--name <name>')
    .option('--operator', 'may grant credits through the API', false)
    .action((options: { email: string; name: string; operator: boolean }, command: Command) =>
      onPlatform(command, (service) => service(UsersService).create(options)),
    );
  users
    .command('list')
    .description('newest first')
    .option('--limit <number>', 'how many', wholeNumber, 100)
    .action(({ limit }: { limit: number }, command: Command) =>
      onPlatform(command, async (service) => (await service(UsersService).list({ limit })).items),
    );
  return users;
}
