import { type Actor, systemActor, systemScope } from '@domain/access';
import { OperatorKeysService, UsersService, WorkspacesService } from '@domain/identity';
import { CreditsService } from '@domain/credits';
import { Command } from 'commander';
import { type Services, onPlatform } from '../command';

const EMAIL = 'demo@example.com';
const CREDITS = 1_000;

export function demoCommand(): Command {
  return new Command('demo')
    .description('create a demo user and workspace if they do not exist, and issue new keys for both')
    .action((_options, command: Command) => onPlatform(command, createDemo));
}

/** Can be repeated: it only creates new keys, because existing ones cannot be shown again. */
async function createDemo(service: Services) {
  const actor = systemActor('operator');
  const users = service(UsersService);
  const user =
    (await users.byEmail(EMAIL)) ?? (await users.create({ email: EMAIL, name: 'Demo User', operator: true }));
  const workspaceId = user.defaultWorkspaceId ?? (await createDemoWorkspace(service, user.id, actor));
  const workspace = systemScope(workspaceId, 'operator');
  await service(CreditsService).grant(workspace, { amount: CREDITS, reason: 'Demo credits', operation: 'demo' });
  const keys = service(OperatorKeysService);
  const { key: workspaceKey } = await keys.issueForWorkspace(workspace, { name: 'Demo workspace key' });
  const { key: userKey } = await keys.issueForUser(user.id, { name: 'Demo platform key' }, actor);
  return { workspaceId, workspaceKey, userKey };
}

async function createDemoWorkspace(service: Services, userId: string, actor: Actor): Promise<string> {
  return (await service(WorkspacesService).createFor(userId, { name: 'Demo workspace' }, actor)).id;
}
