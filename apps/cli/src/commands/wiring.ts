import { Command } from 'commander';
import { formatWiring, readWiring } from '@domain/assembly';
import { onPlatform } from '../command';

export function wiringCommand(): Command {
  return new Command('wiring')
    .description('print what calls what: listeners of hook points, event subscribers, queues, periodic tasks, sweeps')
    .action((_options, command: Command) =>
      onPlatform(command, async (service) => {
        const wiring = readWiring(service);
        return command.optsWithGlobals<{ json?: boolean }>().json ? wiring : formatWiring(wiring);
      }),
    );
}
