import { systemActor, systemScope } from '@domain/access';
import {
  WorkspaceCreationService,
  type WorkspaceLimits,
  WorkspaceRestoreService,
  WorkspacesService,
} from '@domain/workspaces';
import { Command } from 'commander';
import { onPlatform, wholeNumber } from './command';

export function workspacesCommands(): Command {
  const workspaces = new Command('workspaces').description('workspaces of the installation');
  workspaces
    .command('create')
    .requiredOption('--owner <userId>')
    .requiredOption('--name <name>')
    .action(({ owner, name }: { owner: string; name: string }, command: Command) =>
      onPlatform(command, (service) =>
        service(WorkspaceCreationService).createFor(owner, { name }, systemActor('operator')),
      ),
    );
  workspaces
    .command('show <workspaceId>')
    .action((workspaceId: string, _options, command: Command) =>
      onPlatform(command, (service) => service(WorkspacesService).get(systemScope(workspaceId, 'operator'))),
    );
  workspaces
    .command('limits <workspaceId>')
    .description('set caps; what is not given stays')
    .option('--max-members <number>', 'members and pending invitations', wholeNumber)
    .option('--max-campaigns <number>', 'campaigns', wholeNumber)
    .option('--max-leads <number>', 'leads', wholeNumber)
    .option('--max-mailboxes <number>', 'mailboxes', wholeNumber)
    .action((workspaceId: string, limits: Partial<WorkspaceLimits>, command: Command) =>
      onPlatform(command, (service) =>
        service(WorkspacesService).setLimits(systemScope(workspaceId, 'operator'), limits),
      ),
    );
  workspaces
    .command('restore <workspaceId>')
    .description('bring a deleted workspace back while its data are kept')
    .action((workspaceId: string, _options, command: Command) =>
      onPlatform(command, (service) => service(WorkspaceRestoreService).restore(systemScope(workspaceId, 'operator'))),
    );
  return workspaces;
}
