import type { DeclaredName, ParsedClass, ParsedFile } from './source-tree.mts';

/** The closed list of kinds, between the one dot and the extension. `docs/glossary.md` defines them. */
const KINDS = [
  'module',
  'controller',
  'processor',
  'service',
  'repository',
  'record',
  'dto',
  'queue',
  'port',
  'driver',
  'client',
  'registry',
  'listener',
  'guard',
  'interceptor',
  'filter',
  'middleware',
  'decorator',
  'errors',
  'spec',
] as const;

/** Marks of a spec: needs MongoDB, takes long, one suite for several drivers, the whole platform. */
const MARKS = ['db', 'deep', 'conformance', 'e2e'];

const FILE_NAME = new RegExp(
  String.raw`^[a-z0-9]+(-[a-z0-9]+)*(\.(${KINDS.filter((kind) => kind !== 'spec').join('|')}))?(\.(${MARKS.join('|')}))*(\.spec)?\.m?ts$`,
);

/** Brands keep their spelling. */
const BRANDS: readonly (readonly [RegExp, string])[] = [
  [/Oauth/g, 'OAuth'],
  [/Hubspot/g, 'HubSpot'],
  [/Openai/g, 'OpenAi'],
  [/Ipv4/g, 'IPv4'],
];

/** Kinds whose files export exactly one class, named after the file. */
const ONE_CLASS = new Set<string>(
  KINDS.filter((kind) => !['dto', 'errors', 'decorator', 'spec', 'middleware'].includes(kind)),
);

/** A breach of a rule, as one line with the file name. */
export type Breach = string;

export function kindOf(path: string): string | null {
  const [, kind] =
    /\.([a-z]+)\.m?ts$/.exec(path.replace(/(\.(db|deep|conformance|e2e))*\.spec\.m?ts$/, '.spec.ts')) ?? [];
  return kind && (KINDS as readonly string[]).includes(kind) ? kind : null;
}

/** `campaign-status.service.ts` holds `CampaignStatusService`. */
export function classNameOf(path: string): string {
  const base = path.slice(path.lastIndexOf('/') + 1).replace(/\.m?ts$/, '');
  const pascal = base
    .split(/[-.]/)
    .map((word) => `${word.charAt(0).toUpperCase()}${word.slice(1)}`)
    .join('');
  return BRANDS.reduce((name, [pattern, brand]) => name.replace(pattern, brand), pascal);
}

export function fileNameBreaches(files: readonly Pick<ParsedFile, 'path'>[]): Breach[] {
  return files
    .filter(({ path }) => !path.endsWith('.d.ts') && !FILE_NAME.test(path.slice(path.lastIndexOf('/') + 1)))
    .map(({ path }) => `${path}: words joined by "-", one dot before a kind of the list`);
}

export function classBreaches(files: readonly ParsedFile[]): Breach[] {
  return files.flatMap((file) => classBreachesOf(file));
}

function classBreachesOf(file: ParsedFile): Breach[] {
  const kind = kindOf(file.path);
  const exported = file.classes.filter((one) => one.exported);
  const breaches: Breach[] = [];
  if (kind && ONE_CLASS.has(kind)) {
    const expected = classNameOf(file.path);
    if (exported.length !== 1) breaches.push(`${file.path}: ${exported.length} exported classes, one is needed`);
    else if (exported[0]?.name !== expected) breaches.push(`${file.path}: ${exported[0]?.name} has to be ${expected}`);
  }
  if (!kind && exported.length > 0) {
    const expected = classNameOf(file.path);
    if (exported.length > 1 || exported[0]?.name !== expected) {
      const names = exported.map(({ name }) => name).join(', ');
      breaches.push(`${file.path}: ${names}, where only ${expected} may be; errors belong in an .errors.ts file`);
    }
  }
  if (kind === 'errors') {
    breaches.push(
      ...exported
        .filter(({ name }) => !name.endsWith('Error'))
        .map(({ name }) => `${file.path}: ${name} has to end in Error`),
    );
  }
  for (const one of file.classes) breaches.push(...decoratorBreaches(file.path, kind, one));
  return breaches;
}

/** A class with one of these decorators or this base class is in a file of this kind, and in no other. */
function decoratorBreaches(
  path: string,
  kind: string | null,
  { name, decorators, extends: base }: ParsedClass,
): Breach[] {
  const breaches: Breach[] = [];
  if (decorators.includes('Injectable') && !kind)
    breaches.push(`${path}: ${name} is injectable, so the file needs a kind`);
  if (decorators.includes('Collection') !== (kind === 'record')) {
    if (decorators.includes('Collection') || kind === 'record')
      breaches.push(`${path}: @Collection and .record.ts belong together`);
  }
  if (decorators.includes('Controller') && kind !== 'controller') breaches.push(`${path}: ${name} is a controller`);
  if (base === 'JobQueue' && kind !== 'queue') breaches.push(`${path}: ${name} is a queue`);
  return breaches;
}

/** Two classes with one name are easily confused. */
export function duplicateClasses(files: readonly ParsedFile[]): Breach[] {
  return duplicates(
    files.map(({ path, classes }) => ({
      path,
      names: classes.filter(({ exported }) => exported).map(({ name }) => name),
    })),
  );
}

export interface SharedName {
  readonly name: string;
  readonly reason: string;
}

/** Functions that several files export carry the noun that tells them apart. */
export function duplicateFunctions(files: readonly ParsedFile[], shared: readonly SharedName[]): Breach[] {
  const allowed = new Set(shared.map(({ name }) => name));
  return duplicates(
    files.map(({ path, names }) => ({
      path,
      names: names
        .filter(({ what, exported, name }) => what === 'function' && exported && !allowed.has(name))
        .map(({ name }) => name),
    })),
  );
}

function duplicates(files: readonly { readonly path: string; readonly names: readonly string[] }[]): Breach[] {
  const first = new Map<string, string>();
  const breaches: Breach[] = [];
  for (const { path, names } of files) {
    // An overloaded function has several declarations in one file.
    for (const name of new Set(names)) {
      const other = first.get(name);
      if (other) breaches.push(`${path}: ${name} is also in ${other}`);
      else first.set(name, path);
    }
  }
  return breaches;
}

/** The longest folder path that a domain may have below `libs/domain`. */
const MAX_FOLDER_DEPTH = 4;

export function deepFolders(files: readonly Pick<ParsedFile, 'path'>[]): Breach[] {
  const folders = new Set(
    files.filter(({ path }) => path.startsWith('libs/domain/')).map(({ path }) => path.slice(0, path.lastIndexOf('/'))),
  );
  return [...folders].filter((folder) => folder.split('/').length - 2 > MAX_FOLDER_DEPTH);
}

/** Production code is neither in a folder for tests nor in a file named like a test. */
export function misplacedProduction(files: readonly Pick<ParsedFile, 'path'>[]): Breach[] {
  return files
    .map(({ path }) => path)
    .filter((path) => /\/tests?\/|\.test\.m?ts$/.test(path) && /^(apps|libs)\//.test(path));
}

/** `planNextSend` → plan next send; `MAX_TRIES` → max tries; `mail-turn.ts` → mail turn. */
export function wordsOf(name: string): string[] {
  return name
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .replace(/([A-Z]+)([A-Z][a-z])/g, '$1 $2')
    .split(/[^A-Za-z0-9]+/)
    .filter((word) => word !== '')
    .map((word) => word.toLowerCase());
}

export interface NameException {
  readonly word: string;
  /** A whole name, a path, or a pattern of one. */
  readonly where: RegExp;
  readonly reason: string;
}

export function refusedNames(
  files: readonly ParsedFile[],
  refused: ReadonlySet<string>,
  exceptions: readonly NameException[],
): Breach[] {
  const excused = (word: string, name: string, path: string): boolean =>
    exceptions.some((one) => one.word === word && (one.where.test(name) || one.where.test(path)));
  const find = (name: string, path: string): string[] =>
    wordsOf(name).filter((word) => refused.has(word) && !excused(word, name, path));
  return files.flatMap(({ path, names }) => {
    const inPath = find(path.replace(/^(apps|libs)\//, '').replace(/\.m?ts$/, ''), path).map(
      (word) => `${path}: "${word}"`,
    );
    const inNames = names.flatMap(({ name, what, line }: DeclaredName) =>
      find(name, path).map((word) => `${path}:${line}: ${what} ${name}: "${word}"`),
    );
    return [...inPath, ...inNames];
  });
}
