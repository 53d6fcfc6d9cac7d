import { randomUUID } from 'node:crypto';
import { systemScope } from '@domain/access';
import { CreditsService } from '@domain/credits';
import { WorkspacesService } from '@domain/identity';
import { Command } from 'commander';
import { onPlatform, parseWholeNumber } from '../command';

export function creditsCommands(): Command {
  const credits = new Command('credits').description('manage credits of a workspace');
  credits
    .command('balance <workspaceId>')
    .description('print the balance of a workspace')
    .action((workspaceId: string, _options, command: Command) =>
      onPlatform(command, async (service) =>
        service(CreditsService).balance(await requireWorkspace(service(WorkspacesService), workspaceId)),
      ),
    );
  credits
    .command('grant')
    .description('grant credits to a workspace')
    .argument('<workspaceId>')
    .argument('<amount>', 'whole number of credits', parseWholeNumber)
    .option('--reason <text>', 'reason stored in the ledger', 'Granted by the operator')
    .option('--operation <key>', 'idempotency key: a repetition with the same key grants once')
    .action(
      (
        workspaceId: string,
        amount: number,
        { reason, operation }: { reason: string; operation?: string },
        command: Command,
      ) =>
        onPlatform(command, async (service) => {
          const workspace = await requireWorkspace(service(WorkspacesService), workspaceId);
          return service(CreditsService).grant(workspace, {
            amount,
            reason,
            operation: operation ?? `cli:${randomUUID()}`,
          });
        }),
    );
  credits
    .command('verify <workspaceId>')
    .description('recompute the balance from the ledger and compare it with the stored balance')
    .action((workspaceId: string, _options, command: Command) =>
      onPlatform(command, async (service) =>
        service(CreditsService).verify(await requireWorkspace(service(WorkspacesService), workspaceId)),
      ),
    );
  return credits;
}

/** The scope of an existing workspace. @throws NOT_FOUND */
async function requireWorkspace(workspaces: WorkspacesService, workspaceId: string) {
  const workspace = systemScope(workspaceId, 'operator');
  await workspaces.get(workspace);
  return workspace;
}
