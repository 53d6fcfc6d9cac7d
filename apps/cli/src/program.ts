import { Command } from 'commander';
import { VERSION } from '@platform/config';
import { backupCommand, holdCommand, releaseCommand, restoreCommand } from './backup.commands';
import { configCommand } from './config.command';
import { creditsCommands } from './credits.commands';
import { demoCommand } from './demo.command';
import { jobsCommands } from './jobs.commands';
import { keysCommands } from './keys.commands';
import { migrateCommands } from './migrate.commands';
import { privacyCommands } from './privacy.commands';
import { secretsCommands } from './secrets.commands';
import { spfCommand } from './spf.command';
import { statsCommands } from './stats.commands';
import { usersCommands } from './users.commands';
import { webhooksCommands } from './webhooks.commands';
import { workspacesCommands } from './workspaces.commands';

/** Everything that the operator can do at the command line. */
export function buildProgram(): Command {
  const program = new Command('outreach')
    .description('Operator commands of the outreach platform. Settings come from the environment, as for the API.')
    .version(VERSION)
    .option('--json', 'print results as JSON');
  for (const command of [
    usersCommands(),
    workspacesCommands(),
    keysCommands(),
    creditsCommands(),
    statsCommands(),
    webhooksCommands(),
    jobsCommands(),
    migrateCommands(),
    backupCommand(),
    restoreCommand(),
    holdCommand(),
    releaseCommand(),
    secretsCommands(),
    privacyCommands(),
    spfCommand(),
    configCommand(),
    demoCommand(),
  ]) {
    program.addCommand(command);
  }
  return program;
}
