import { systemActor, systemScope } from '@domain/access';
import { WorkspaceDeletionService, type WorkspaceLimits, WorkspacesService } from '@domain/identity';
import { Command } from 'commander';
import { onPlatform, parseWholeNumber } from '../command';

export function workspacesCommands(): Command {
  const workspaces = new Command('workspaces').description('manage workspaces of the installation');
  workspaces
    .command('create')
    .description('create a workspace for a user')
    .requiredOption('--owner <userId>', 'user who becomes the owner')
    .requiredOption('--name <name>', 'name of the workspace')
    .action(({ owner, name }: { owner: string; name: string }, command: Command) =>
      onPlatform(command, (service) => service(WorkspacesService).createFor(owner, { name }, systemActor('operator'))),
    );
  workspaces
    .command('show <workspaceId>')
    .description('print a workspace')
    .action((workspaceId: string, _options, command: Command) =>
      onPlatform(command, (service) => service(WorkspacesService).get(systemScope(workspaceId, 'operator'))),
    );
  workspaces
    .command('limits <workspaceId>')
    .description('set limits; an omitted limit does not change')
    .option('--max-members <number>', 'maximum number of members and pending invitations', parseWholeNumber)
    .option('--max-campaigns <number>', 'maximum number of campaigns', parseWholeNumber)
    .option('--max-leads <number>', 'maximum number of leads', parseWholeNumber)
    .option('--max-mailboxes <number>', 'maximum number of mailboxes', parseWholeNumber)
    .action((workspaceId: string, limits: Partial<WorkspaceLimits>, command: Command) =>
      onPlatform(command, (service) =>
        service(WorkspacesService).setLimits(systemScope(workspaceId, 'operator'), limits),
      ),
    );
  workspaces
    .command('restore <workspaceId>')
    .description('restore a deleted workspace before its data are erased')
    .action((workspaceId: string, _options, command: Command) =>
      onPlatform(command, (service) => service(WorkspaceDeletionService).restore(systemScope(workspaceId, 'operator'))),
    );
  return workspaces;
}
