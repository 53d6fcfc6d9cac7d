import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import {
  type Breach,
  classBreaches,
  deepFolders,
  duplicateClasses,
  duplicateFunctions,
  fileNameBreaches,
  kindOf,
  misplacedProduction,
  refusedNames,
} from './name-rules.mts';
import { EXCEPTIONS, REFUSED_WORDS, SHARED_FUNCTIONS } from './refused-words.mts';
import { type ParsedFile, parseTree } from './source-tree.mts';

/** Limits of the structure; `npm run check` fails beyond them. */
const BOUNDS = {
  kinds: 20,
  singleMethodServices: 40,
  pages: 32,
  records: 24,
  medianService: [100, 250],
} as const;

/** Sizes beyond which a review asks for the reason; no check fails because of them. */
const ADVICE = { lines: 400, constructorParameters: 10 } as const;

export interface Structure {
  readonly figures: Readonly<Record<string, number>>;
  readonly singleMethodServices: readonly string[];
  readonly advice: readonly string[];
  readonly breaches: readonly Breach[];
}

/** Measures the names and the structure of the tree; reads files only. */
export function measure(root: string): Structure {
  const code = parseTree(root, ['apps', 'libs']);
  const everything = [...code, ...parseTree(root, ['test', 'tools', 'clients'])];
  const production = code.filter(({ path }) => !isTest(path));
  const services = production.filter(({ path }) => kindOf(path) === 'service');
  const single = services.filter(({ classes }) => classes.some((one) => one.exported && one.publicMethods.length <= 1));
  const documents = listDocuments(root);
  const figures = {
    'kinds of files': new Set(everything.map(({ path }) => kindOf(path)).filter((kind) => kind !== null)).size,
    services: services.length,
    'services with one public method': single.length,
    'median lines of a service': median(services.map(({ lines }) => lines)),
    'production lines of TypeScript': production.reduce((sum, { lines }) => sum + lines, 0),
    'hand-written pages': documents.pages,
    'decision records': documents.records,
  };
  const breaches = [
    ...fileNameBreaches(everything),
    ...classBreaches(production),
    ...duplicateClasses(everything.filter(({ path }) => /^(apps|libs|test)\//.test(path))),
    ...duplicateFunctions(production, SHARED_FUNCTIONS),
    ...deepFolders(code),
    ...misplacedProduction(code),
    ...refusedNames(production, REFUSED_WORDS, EXCEPTIONS),
    ...boundBreaches(figures),
  ];
  return { figures, singleMethodServices: single.map(({ path }) => path), advice: adviceOn(code), breaches };
}

function boundBreaches(figures: Readonly<Record<string, number>>): Breach[] {
  const [least, most] = BOUNDS.medianService;
  const atMost = (name: string, bound: number): Breach[] =>
    (figures[name] ?? 0) > bound ? [`${figures[name]} ${name}, at most ${bound}`] : [];
  const middle = figures['median lines of a service'] ?? 0;
  return [
    ...atMost('kinds of files', BOUNDS.kinds),
    ...atMost('services with one public method', BOUNDS.singleMethodServices),
    ...atMost('hand-written pages', BOUNDS.pages),
    ...atMost('decision records', BOUNDS.records),
    ...(middle < least || middle > most ? [`a median service has ${middle} lines, not ${least} to ${most}`] : []),
  ];
}

function adviceOn(files: readonly ParsedFile[]): string[] {
  return files.flatMap(({ path, lines, classes }) => [
    ...(lines > ADVICE.lines ? [`${path}: ${lines} lines`] : []),
    ...classes
      .filter(({ constructorParameters }) => constructorParameters > ADVICE.constructorParameters)
      .map(({ name, constructorParameters }) => `${path}: ${name} has ${constructorParameters} constructor parameters`),
  ]);
}

/** Lines of a report: the figures, then each breach whose text has one of the given parts. */
export function report(
  { figures, singleMethodServices, advice, breaches }: Structure,
  parts: readonly string[] = [],
): string[] {
  const chosen = breaches.filter((breach) => parts.length === 0 || parts.some((part) => breach.includes(part)));
  return [
    ...Object.entries(figures).map(([name, value]) => `${String(value).padStart(8)} ${name}`),
    ...(parts.includes('--single') ? singleMethodServices : []),
    ...(parts.includes('--advice')
      ? advice
      : [`${String(advice.length).padStart(8)} larger than advised (--advice lists them)`]),
    ...chosen,
    `${breaches.length} breaches of the rules of names and structure`,
  ];
}

function isTest(path: string): boolean {
  return (
    /\.spec\.m?ts$|\/testing\/|^libs\/testing\/|\/conformance\/|\/generated\//.test(path) ||
    /\.conformance\.m?ts$/.test(path)
  );
}

function listDocuments(root: string): { pages: number; records: number } {
  const all = readdirSync(join(root, 'docs'), { recursive: true, encoding: 'utf8' }).filter((name) =>
    name.endsWith('.md'),
  );
  const records = all.filter((name) => /^decisions\/\d{4}-/.test(name)).length;
  const pages = all.filter((name) => !/^(decisions|reference)\//.test(name)).length;
  return { pages, records };
}

function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? 0;
}
