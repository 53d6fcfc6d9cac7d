import { parseCommand, UsageError } from './arguments.mts';
import { ensureClient } from '../client/generate.mts';
import { AbortedError, Shutdown } from './shutdown.mts';

const shutdown = new Shutdown();

try {
  const command = parseCommand(process.argv.slice(2));
  // The demo, the tests and the checks need the generated client first. Standard output may belong to MCP.
  if (await ensureClient()) console.error('the TypeScript client was generated from docs/reference/openapi.json');
  const { COMMANDS } = await import('./commands.mts');
  process.exitCode = await COMMANDS[command.name](command, shutdown.signal);
} catch (error) {
  if (!(error instanceof AbortedError)) {
    console.error(error instanceof UsageError || process.env['DEBUG'] === undefined ? (error as Error).message : error);
    process.exitCode = 1;
  } else process.exitCode = shutdown.exitCode;
}
shutdown.end();
