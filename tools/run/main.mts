import { parseCommand, UsageError } from './arguments.mts';
import { ensureClient } from '../client/generate.mts';
import { AbortedError, Shutdown } from './shutdown.mts';

const shutdown = new Shutdown();

try {
  const command = parseCommand(process.argv.slice(2));
  // The demo, the tests and the checks read the generated client: it comes before what imports it. Standard output may be MCP's.
  if (await ensureClient()) console.error('the TypeScript client was made from docs/reference/openapi.json');
  const { COMMANDS } = await import('./commands.mts');
  process.exitCode = await COMMANDS[command.name](command, shutdown.signal);
} catch (error) {
  if (!(error instanceof AbortedError)) {
    console.error(error instanceof UsageError || process.env['DEBUG'] === undefined ? (error as Error).message : error);
    process.exitCode = 1;
  } else process.exitCode = shutdown.exitCode;
}
shutdown.end();
