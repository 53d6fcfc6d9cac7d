import { parseCommand, UsageError } from './arguments.mts';
import { bench } from './bench.mts';
import { check, faults, test } from './check.mts';
import { cli } from './cli.mts';
import { generate } from './generate.mts';
import { dev, start } from './start.mts';
import { serve } from './serve.mts';
import { AbortedError, Shutdown } from './shutdown.mts';

/** Each command works until it is done or the signal aborts, and answers its exit code. */
const COMMANDS = { start, dev, test, faults, check, services: serve, generate, cli, bench };

const shutdown = new Shutdown();

try {
  const command = parseCommand(process.argv.slice(2));
  process.exitCode = await COMMANDS[command.name](command, shutdown.signal);
} catch (error) {
  if (!(error instanceof AbortedError)) {
    console.error(error instanceof UsageError || process.env['DEBUG'] === undefined ? (error as Error).message : error);
    process.exitCode = 1;
  } else process.exitCode = shutdown.exitCode;
}
shutdown.end();
