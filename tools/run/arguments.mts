import { parseArgs } from 'node:util';

export class UsageError extends Error {}

const NAMES = [
  'start',
  'dev',
  'test',
  'deep',
  'faults',
  'check',
  'services',
  'generate',
  'client',
  'cli',
  'mcp',
  'bench',
] as const;
type CommandName = (typeof NAMES)[number];

/** These commands parse the rest of the line themselves. */
const HAVE_OWN_OPTIONS: ReadonlySet<CommandName> = new Set(['test', 'cli', 'mcp', 'bench', 'deep', 'faults']);

export interface Command {
  name: CommandName;
  /** For start and dev. */
  reset: boolean;
  port?: number;
  /** For check: the one step to run. */
  only?: string;
  /** For the program that the command runs: Jest, the CLI or the bench. */
  rest: string[];
}

const USAGE = `usage: node tools/run.mjs <command>
  start [--reset] [--port N]    run the platform
  dev [--reset] [--port N]      the same, rebuilding and restarting on change
  test ...                      the tests; what follows goes to jest
  deep ...                      the tests that test leaves out or shortens: faults, more rounds of properties
  faults ...                    the fault suites in their long form; FAULTS_SEED=<seed> replays a run
  check [--only STEP]           format, lint with types, imports, unused
  services                      MongoDB, Redis and the mail sandbox only
  generate                      write the files that are made from the code
  client                        build the TypeScript client's package (clients/typescript/dist)
  cli ...                       an operator command
  mcp [--check]                 the MCP server for AI tools, on standard input and output
  bench ...                     measure`;

export function parseCommand(args: string[]): Command {
  const [name, ...given] = args;
  if (!isName(name)) throw new UsageError(name ? `there is no command "${name}"\n${USAGE}` : USAGE);
  if (HAVE_OWN_OPTIONS.has(name)) return { name, reset: false, rest: given };
  try {
    const { values, positionals } = parseArgs({ args: given, options: OPTIONS, allowPositionals: true });
    const port = values.port === undefined ? undefined : parsePort(values.port);
    if (positionals.length > 0) throw new Error(`unexpected argument "${positionals[0]}"`);
    return {
      name,
      reset: values.reset,
      ...(port && { port }),
      ...(values.only && { only: values.only }),
      rest: [],
    };
  } catch (error) {
    throw new UsageError(`${(error as Error).message}\n${USAGE}`);
  }
}

const OPTIONS = {
  reset: { type: 'boolean', default: false },
  port: { type: 'string' },
  only: { type: 'string' },
} as const;

function isName(name: string | undefined): name is CommandName {
  return NAMES.includes(name as CommandName);
}

export function parsePort(text: string): number {
  const port = Number(text);
  if (!/^\d{1,5}$/.test(text) || port < 1 || port > 65_535) throw new Error(`"${text}" is not a port (1 to 65535)`);
  return port;
}
