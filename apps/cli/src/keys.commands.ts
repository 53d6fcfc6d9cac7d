import { systemScope } from '@domain/access';
import { OperatorKeysService } from '@domain/api-keys';
import { Command } from 'commander';
import { commaList, onPlatform, wholeNumber } from './command';

interface IssueOptions {
  user?: string;
  workspace?: string;
  name: string;
  scopes?: string[];
  expires?: string;
}

export function keysCommands(): Command {
  const keys = new Command('keys').description('API keys');
  keys
    .command('create')
    .description('issue a key; it is shown this once')
    .option('--user <userId>', 'a platform key of this user')
    .option('--workspace <workspaceId>', 'a key of this workspace')
    .option('--name <name>', 'what the key is for', 'Issued by the operator')
    .option('--scopes <list>', 'read,write,admin', commaList)
    .option('--expires <time>', 'ISO 8601 time')
    .action((options: IssueOptions, command: Command) =>
      onPlatform(command, (service) => issue(service(OperatorKeysService), options, command)),
    );
  keys
    .command('revoke <keyId>')
    .description('the key stops working at once')
    .action((keyId: string, _options, command: Command) =>
      onPlatform(command, (service) => service(OperatorKeysService).revoke(keyId)),
    );
  keys
    .command('rate-limit')
    .description("set how many requests a key may make in a window, or the installation's default again")
    .argument('<keyId>')
    .argument('[requests]', "without it the installation's default", wholeNumber)
    .action((keyId: string, requests: number | undefined, _options, command: Command) =>
      onPlatform(command, (service) => service(OperatorKeysService).setRateLimit(keyId, requests ?? null)),
    );
  return keys;
}

function issue(keys: OperatorKeysService, { user, workspace, name, scopes, expires }: IssueOptions, command: Command) {
  const input = { name, ...(scopes ? { scopes } : {}), ...(expires ? { expiresAt: expires } : {}) };
  if (user !== undefined && workspace === undefined) return keys.issueForUser(user, input);
  if (workspace !== undefined && user === undefined)
    return keys.issueForWorkspace(systemScope(workspace, 'operator'), input);
  return command.error('error: give either --user or --workspace');
}
