import { UsersService } from '@domain/identity';
import { Command } from 'commander';
import { onPlatform, parseWholeNumber } from '../command';

export function usersCommands(): Command {
  const users = new Command('users').description('manage users of the installation');
  users
    .command('create')
    .description('create a user with a proven address')
    .requiredOption('--email <address>', 'email address of the user')
    .requiredOption('--name <name>', 'name of the user')
    .option('--operator', 'allow this user to grant credits through the API', false)
    .action((options: { email: string; name: string; operator: boolean }, command: Command) =>
      onPlatform(command, (service) => service(UsersService).create(options)),
    );
  users
    .command('list')
    .description('list users, newest first')
    .option('--limit <number>', 'maximum number of entries', parseWholeNumber, 100)
    .action(({ limit }: { limit: number }, command: Command) =>
      onPlatform(command, async (service) => (await service(UsersService).list({ limit })).items),
    );
  return users;
}
