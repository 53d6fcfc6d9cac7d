import { Command } from 'commander';
import { describeConfig, loadConfig } from '@platform/config';
import { print } from '../command';

export function configCommand(): Command {
  return new Command('config')
    .description('print the current settings with secrets masked')
    .action((_options, command: Command) => {
      print(describeConfig(loadConfig()).join('\n'), command.optsWithGlobals<{ json?: boolean }>().json ?? false);
    });
}
