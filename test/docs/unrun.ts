import { faultOfCli, faultOfPath, faultOfRoute, faultOfScript, faultOfService } from './facts';

/** The result of a check of a command without running it. */
interface Looked {
  readonly faults: readonly string[];
  /** Whether there was anything to check. */
  readonly isChecked: boolean;
}

type Look = (args: readonly string[]) => readonly (string | null)[];

const isFlag = (word: string): boolean => word.startsWith('-');
const isPath = (word: string): boolean => /^\.?[\w-]+(\.?[\w-]*\/)*[\w.-]+$/.test(word) && /[./]/.test(word);
const withoutFlags = (args: readonly string[]): string[] => args.filter((word) => !isFlag(word));

/** By the first word of the command; an empty list means that its arguments are not checked. */
const LOOKS: Readonly<Record<string, Look>> = {
  docker: ([tool, ...args]) => (tool === 'compose' ? compose(args) : []),
  outreach: (args) => [faultOfCli(args)],
  npm: ([verb = '', ...args]) => npm(verb, args),
  node: ([script = '']) => [faultOfPath(script)],
  curl: (args) =>
    args.flatMap((word) => {
      const [, path] = /(\/v1\/[^\s"']*)/.exec(word) ?? [];
      return path === undefined ? [] : [faultOfRoute(path)];
    }),
  kubectl: (args) =>
    args.flatMap((word, at) =>
      ['-f', '-k', '--filename'].includes(args[at - 1] ?? '') && isPath(word) ? [faultOfPath(word)] : [],
    ),
  cd: ([folder = '']) => [faultOfPath(folder)],
  cp: ([from = '']) => [faultOfPath(from)],
  // Standard programs.
  ...Object.fromEntries(
    ['alias', 'chmod', 'echo', 'export', 'git', 'helm', 'kill', 'mkdir', 'mongodump', 'mongorestore', 'openssl'].map(
      (name) => [name, () => []],
    ),
  ),
};

/** Checks each command of a shell block that cannot run here. */
export function resolveAt(text: string): Looked {
  const results = listCommands(text).map(([name = '', ...args]): Looked => {
    const look = LOOKS[name];
    if (!look) return { faults: [`the program "${name}" is unknown`], isChecked: false };
    const found = look(args);
    return { faults: found.filter((fault) => fault !== null), isChecked: found.length > 0 };
  });
  return {
    faults: results.flatMap(({ faults }) => faults),
    isChecked: results.some(({ isChecked }) => isChecked),
  };
}

/** The words of each command, without comments, leading assignments and redirections. */
export function listCommands(text: string): string[][] {
  const commands: string[][] = [[]];
  let isTarget = false;
  for (const token of text.replaceAll(/\\\n/g, ' ').match(TOKEN) ?? []) {
    const command = commands.at(-1) ?? [];
    if (token.startsWith('#')) continue;
    if (SEPARATOR.test(token)) commands.push([]);
    else if (isTarget || REDIRECTION.test(token)) isTarget = /^\d?[<>]+$/.test(token);
    else if (command.length > 0 || !ASSIGNMENT.test(token)) command.push(token.replaceAll(/^["']|["']$/g, ''));
  }
  return commands.filter((words) => words.length > 0);
}

/** A comment, a word with quoted parts, or the end of a command. Quotes may span lines. */
const TOKEN = /#[^\n]*|(?:"[^"]*"|'[^']*'|<[\w ]+>|[^\s|;&"'])+|&&|\|\||[|;&\n]/g;
const SEPARATOR = /^(?:&&|\|\||[|;&\n])$/;
/** `<userId>` is a placeholder, not a redirection. */
const REDIRECTION = /^\d?[<>](?![\w ]+>)/;
const ASSIGNMENT = /^\w+=/;

const WITH_ONE_SERVICE = new Set(['exec', 'run']);
/** Options of Compose that take an argument. */
const WITH_VALUE = new Set(['--user', '--volume', '--env', '--workdir', '--file', '-u', '-v', '-e', '-w', '-f']);

function compose(args: readonly string[]): (string | null)[] {
  const [verb = '', ...rest] = withoutFlags(args.filter((_, at) => !WITH_VALUE.has(args[at - 1] ?? '')));
  if (!WITH_ONE_SERVICE.has(verb)) return [...rest.map(faultOfService), null];
  const [service = '', program = '', script = '', ...more] = rest;
  const isCli = program === 'node' && script.endsWith('apps/cli/src/main.js');
  return [faultOfService(service), ...(isCli && more.length > 0 ? [faultOfCli(more)] : [])];
}

function npm(verb: string, args: readonly string[]): (string | null)[] {
  if (verb === 'start' || verb === 'test') return [faultOfScript(verb)];
  if (verb !== 'run') return [];
  const [script = '', ...rest] = withoutFlags(args);
  const own = args.slice(args.indexOf('--') + 1);
  return [faultOfScript(script), ...(script === 'cli' && rest.length > 0 ? [faultOfCli(own)] : [])];
}
