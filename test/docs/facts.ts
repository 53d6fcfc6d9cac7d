import { existsSync, globSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { buildProgram } from '../../apps/cli/src/program';
import { type Command } from 'commander';
import { parse } from 'yaml';
import { readText, ROOT } from './pages';

/** Facts of the repository that pages mention. A fault is a sentence; null means that the fact is right. */
const SOURCES = ['apps', 'libs', 'test', 'tools', 'clients', 'deploy'];
const SKIPPED = /(^|\/)(node_modules|dist|generated|\.[^/]+)\//;
const PLACEHOLDER = /^\{[^}]*\}$|^<[^>]*>$|^\$/;

interface OpenApi {
  readonly paths: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
}

let routes: readonly { readonly path: string; readonly methods: readonly string[] }[] | null = null;
let files: readonly string[] | null = null;
let listWords: ReadonlySet<string> | null = null;

function allRoutes(): NonNullable<typeof routes> {
  routes ??= Object.entries((JSON.parse(readText('docs/reference/openapi.json')) as OpenApi).paths).map(
    ([path, operations]) => ({
      path,
      methods: Object.keys(operations).map((method) => method.toUpperCase()),
    }),
  );
  return routes;
}

/** Paths of all source files, from the root. */
function allFiles(): readonly string[] {
  files ??= SOURCES.filter((folder) => existsSync(join(ROOT, folder))).flatMap((folder) =>
    readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
      .map((path) => `${folder}/${path}`)
      .filter((path) => !SKIPPED.test(path)),
  );
  return files;
}

/** Every name in capitals in settings, error codes, Compose and sources. */
function knownWords(): ReadonlySet<string> {
  listWords ??= new Set(
    ['.env.example', 'docs/reference/errors.md', 'docker-compose.yml', ...allFiles().filter(isSource)]
      .map(readText)
      .flatMap((text) => text.match(/\b[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+\b/g) ?? []),
  );
  return listWords;
}

const isSource = (path: string): boolean => /\.(m?ts|m?js|ya?ml|json)$/.test(path) && !path.startsWith('test/docs/');

/** @param path with or without `{id}`, `$ID` or a real id; without a method, a prefix is enough */
export function faultOfRoute(path: string, method?: string): string | null {
  const wanted = segments(path);
  const matches = allRoutes().filter((route) => {
    const has = segments(route.path);
    if (method ? has.length !== wanted.length : has.length < wanted.length) return false;
    return wanted.every((one, at) => one === has[at] || isParameter(one) || isParameter(has[at] ?? ''));
  });
  if (matches.length === 0) return `there is no route ${path}`;
  if (method && !matches.some(({ methods }) => methods.includes(method))) return `there is no ${method} ${path}`;
  return null;
}

const segments = (path: string): string[] =>
  path
    .replace(/[?#].*$/, '')
    .split('/')
    .filter(Boolean);
const isParameter = (segment: string): boolean => PLACEHOLDER.test(segment);

/** @param path may contain `*` and `{a,b}`, and may be a folder */
export function faultOfPath(path: string): string | null {
  return globSync(path.replace(/\/$/, ''), { cwd: ROOT }).length > 0 ? null : `there is no ${path}`;
}

/** @param name `obedience.db.spec.ts`, with or without folders before it */
export function faultOfSpec(name: string): string | null {
  return allFiles().some((path) => `/${path}`.endsWith(`/${name}`)) ? null : `there is no spec ${name}`;
}

export function faultOfVariable(name: string): string | null {
  return knownWords().has(name) ? null : `${name} is unknown`;
}

export function faultOfScript(name: string): string | null {
  const { scripts } = JSON.parse(readText('package.json')) as { scripts: Record<string, string> };
  return name in scripts ? null : `package.json has no script "${name}"`;
}

export function faultOfService(name: string): string | null {
  const { services } = parse(readText('docker-compose.yml')) as { services: Record<string, unknown> };
  return name in services ? null : `docker-compose.yml has no service "${name}"`;
}

/** @param args the arguments of `outreach` */
export function faultOfCli(args: readonly string[]): string | null {
  let command: Command = buildProgram();
  const options = new Set(['--json', '--help', '--version']);
  for (const word of args) {
    for (const { long } of command.options) if (long) options.add(long);
    const [flag = ''] = word.replaceAll(/[[\]]/g, '').split('=');
    if (flag.startsWith('--')) {
      if (!options.has(flag)) return `"outreach ${args.join(' ')}": there is no option ${flag}`;
    } else if (command.commands.length > 0) {
      const found = word.split('|').map((name) => subcommand(command, name));
      const [first] = found;
      if (!first || found.includes(undefined)) return `"outreach ${args.join(' ')}": there is no command "${word}"`;
      command = first;
    }
  }
  return null;
}

function subcommand(command: Command, name: string): Command | undefined {
  return command.commands.find((one) => one.name() === name || one.aliases().includes(name));
}

/** @param text the excerpt of the program that the page shows, unchanged */
export function faultOfExample(path: string, text: string): string | null {
  if (!existsSync(join(ROOT, path))) return `there is no ${path}`;
  return readFileSync(join(ROOT, path), 'utf8').includes(text) ? null : `${path} says something else`;
}
