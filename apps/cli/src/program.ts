import { Command } from 'commander';
import { VERSION } from '@platform/config';
import { backupCommand, formerMaintenanceCommands, maintenanceCommands, restoreCommand } from './commands/backup';
import { configCommand } from './commands/config';
import { creditsCommands } from './commands/credits';
import { demoCommand } from './commands/demo';
import { jobsCommands } from './commands/jobs';
import { keysCommands } from './commands/keys';
import { migrateCommands } from './commands/migrate';
import { privacyCommands } from './commands/privacy';
import { secretsCommands } from './commands/secrets';
import { spfCommand } from './commands/spf';
import { statsCommands } from './commands/stats';
import { usersCommands } from './commands/users';
import { webhooksCommands } from './commands/webhooks';
import { wiringCommand } from './commands/wiring';
import { workspacesCommands } from './commands/workspaces';

/** All commands of the operator. */
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
    maintenanceCommands(),
    secretsCommands(),
    privacyCommands(),
    spfCommand(),
    configCommand(),
    wiringCommand(),
    demoCommand(),
  ]) {
    program.addCommand(command);
  }
  for (const command of formerMaintenanceCommands()) program.addCommand(command, { hidden: true });
  return program;
}
