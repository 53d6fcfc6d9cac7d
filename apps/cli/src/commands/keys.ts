import { systemScope } from '@domain/access';
import { OperatorKeysService } from '@domain/identity';
import { Command } from 'commander';
import { parseCommaList, onPlatform, parseWholeNumber } from '../command';

interface IssueOptions {
  user?: string;
  workspace?: string;
  name: string;
  scopes?: string[];
  expires?: string;
}

export function keysCommands(): Command {
  const keys = new Command('keys').description('manage API keys');
  keys
    .command('create')
    .description('issue a key; it is shown only once')
    .option('--user <userId>', 'issue a key for this user')
    .option('--workspace <workspaceId>', 'issue a key for this workspace')
    .option('--name <name>', 'name of the key', 'Issued by the operator')
    .option('--scopes <list>', 'comma-separated list of read, write and admin', parseCommaList)
    .option('--expires <time>', 'expiry time in ISO 8601')
    .action((options: IssueOptions, command: Command) =>
      onPlatform(command, (service) => issue(service(OperatorKeysService), options, command)),
    );
  keys
    .command('revoke <keyId>')
    .description('revoke a key immediately')
    .action((keyId: string, _options, command: Command) =>
      onPlatform(command, (service) => service(OperatorKeysService).revoke(keyId)),
    );
  keys
    .command('rate-limit')
    .description('set the number of requests that a key may make per rate-limit window')
    .argument('<keyId>')
    .argument('[requests]', 'number of requests; omit it to use the default of the installation', parseWholeNumber)
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
