import { systemScope } from '@domain/access';
import { PersonalDataService } from '@domain/privacy';
import { WorkspacesService } from '@domain/identity';
import { invalidField } from '@platform/errors';
import { parseEmailAddress } from '@platform/validation';
import { Command } from 'commander';
import { type Services, onPlatform } from '../command';

interface PrivacyOptions {
  workspace?: string;
}

const OF_WORKSPACE = [
  '--workspace <workspaceId>',
  'only this workspace; default: every workspace with data of the address',
] as const;

export function privacyCommands(): Command {
  const privacy = new Command('privacy').description(
    'export or erase the data of a person (docs/operators/privacy.md)',
  );
  privacy
    .command('export <address>')
    .description('print all data of an address as JSON')
    .option(...OF_WORKSPACE)
    .action((address: string, { workspace }: PrivacyOptions, command: Command) =>
      onPlatform(command, (service) => exportData(service, address, workspace), 'json'),
    );
  privacy
    .command('erase <address>')
    .description('add an address to the suppression list and erase all its other data; can be repeated')
    .option(...OF_WORKSPACE)
    .action((address: string, { workspace }: PrivacyOptions, command: Command) =>
      onPlatform(command, async (service) => {
        const report = await eraseData(service, address, workspace);
        const isLeft = report.workspaces.some(({ onTheirWay, openImports }) => onTheirWay + openImports > 0);
        if (isLeft) process.exitCode = 1;
        return report;
      }),
    );
  return privacy;
}

async function exportData(service: Services, input: string, workspace?: string) {
  const address = parseAddress(input);
  const workspaces = [];
  for (const id of await listWorkspaceIds(service, workspace)) {
    const found = await service(PersonalDataService).export(id, address);
    if (found) workspaces.push(found);
  }
  return { address, workspaces };
}

async function eraseData(service: Services, input: string, workspace?: string) {
  const address = parseAddress(input);
  const workspaces = [];
  for (const id of await listWorkspaceIds(service, workspace)) {
    const found = await service(PersonalDataService).erase(id, address);
    if (found) workspaces.push(found);
  }
  return { address, workspaces };
}

function parseAddress(input: string): string {
  const parsed = parseEmailAddress(input);
  if (!parsed.ok) throw invalidField('address', `address ${parsed.reason}`);
  return parsed.address;
}

async function listWorkspaceIds(service: Services, workspace?: string): Promise<string[]> {
  const workspaces = service(WorkspacesService);
  if (workspace === undefined) return workspaces.ids();
  return [(await workspaces.get(systemScope(workspace, 'operator'))).id];
}
