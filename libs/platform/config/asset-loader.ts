import { AssetError, AssetValueError } from './asset.errors';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { Ajv2020, type ErrorObject, type ValidateFunction } from 'ajv/dist/2020';
import { type Document, isNode, LineCounter, parseDocument, visit } from 'yaml';

/** Named parts of patterns. A pattern refers to one as `{{name}}`. */
export type Fragments = Readonly<Record<string, string>>;

/** Where an asset and its schema are. */
export interface AssetSource {
  /** Absolute path: `join(__dirname, 'assets')` for the files beside the code. */
  readonly folder: string;
  /** Path of the YAML or JSON file below the folder. */
  readonly file: string;
  /** Path of the JSON Schema (draft 2020-12), relative to the folder or absolute. */
  readonly schema: string;
}

/** The largest file of today has 30 kB. */
const MAX_BYTES = 1_000_000;
const ASSET = /^[^.].*\.(?:yaml|yml|json)$/;
const SCHEMA = /\.schema\.(?:yaml|json)$/;

const validators = new Map<string, ValidateFunction>();
const loaded = new Set<string>();

/**
 * Returns the content of an asset file, checked against its schema and deeply frozen. `compile` makes the value that the code
 * uses, such as one with regular expressions; an `AssetValueError` from it is reported with the file.
 * Reads the file at each call: an `AssetSet` keeps the value.
 * @throws AssetError when the file is missing, too large, not valid YAML, or does not fit its schema
 */
export function loadAsset<T>(source: AssetSource): T;
export function loadAsset<Stored, T>(source: AssetSource & { readonly compile: (stored: Stored) => T }): T;
export function loadAsset(source: AssetSource & { readonly compile?: (stored: unknown) => unknown }): unknown {
  const path = resolve(source.folder, source.file);
  const { document, lines } = parsed(path);
  const value: unknown = document.toJS();
  const refuse = (pointer: string, reason: string) =>
    new AssetError(path, pointer, reason, findLine(document, lines, pointer));
  const validate = getValidator(resolve(source.folder, source.schema));
  if (!validate(value)) {
    const error = validate.errors?.[0];
    throw refuse(error?.instancePath ?? '', describeSchemaError(error));
  }
  loaded.add(path);
  if (source.compile === undefined) return frozen(value);
  try {
    return frozen(source.compile(frozen(value)));
  } catch (error) {
    if (!(error instanceof AssetValueError)) throw error;
    throw refuse('path' in error.at ? error.at.path : (pointerTo(value, error.at.text) ?? ''), error.reason);
  }
}

/** Names of the asset files in a folder, sorted, without schemas and hidden files. A missing folder has none. */
export function listAssets(folder: string): string[] {
  return listEntries(folder).filter((name) => isAsset(name) && statSync(join(folder, name)).isFile());
}

/** Names of the folders in a folder, sorted, without hidden ones. A missing folder has none. */
export function listAssetFolders(folder: string): string[] {
  return listEntries(folder).filter((name) => !name.startsWith('.') && statSync(join(folder, name)).isDirectory());
}

/** Whether `loadAsset` has accepted the file in this process. */
export function isLoaded(path: string): boolean {
  return loaded.has(resolve(path));
}

/**
 * Compiles a regular expression. Each `{{name}}` is replaced by the fragment of that name, once: fragments do not refer to
 * fragments.
 * @throws AssetValueError for an unknown fragment or a pattern that is not valid
 */
export function compilePattern(pattern: string, flags: string, fragments: Fragments = {}): RegExp {
  const at = { text: pattern };
  const source = pattern.replace(/\{\{([\w-]+)\}\}/g, (_, name: string) => {
    const fragment = Object.hasOwn(fragments, name) ? fragments[name] : undefined;
    if (fragment === undefined) throw new AssetValueError(`there is no fragment "${name}"`, at);
    return fragment;
  });
  try {
    return new RegExp(source, flags);
  } catch (error) {
    throw new AssetValueError(error instanceof Error ? error.message : String(error), at);
  }
}

function isAsset(name: string): boolean {
  return ASSET.test(name) && !SCHEMA.test(name);
}

function listEntries(folder: string): string[] {
  try {
    return readdirSync(folder).toSorted();
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return [];
    throw new AssetError(folder, '', error instanceof Error ? error.message : String(error));
  }
}

/** YAML 1.2 with the core schema: no tags of its own, no aliases, no key twice, one document. */
function parsed(path: string): { document: Document; lines: LineCounter } {
  const lines = new LineCounter();
  const document = parseDocument(readAssetText(path), { schema: 'core', uniqueKeys: true, lineCounter: lines });
  const [problem] = [...document.errors, ...document.warnings];
  if (problem) throw new AssetError(path, '', problem.message.split('\n')[0] ?? '', problem.linePos?.[0].line);
  visit(document, {
    Alias: (_, { range }) => {
      throw new AssetError(path, '', 'aliases are not allowed', range ? lines.linePos(range[0]).line : undefined);
    },
  });
  return { document, lines };
}

function readAssetText(path: string): string {
  try {
    const file = statSync(path);
    if (!file.isFile()) throw new Error('is not a file');
    if (file.size > MAX_BYTES) throw new Error(`has ${file.size} bytes, more than ${MAX_BYTES}`);
    return readFileSync(path, 'utf8');
  } catch (error) {
    throw new AssetError(path, '', error instanceof Error ? error.message : String(error));
  }
}

function getValidator(path: string): ValidateFunction {
  const known = validators.get(path);
  if (known) return known;
  const { document } = parsed(path);
  const validate = new Ajv2020({ allowUnionTypes: true, strictTypes: true, verbose: true }).compile(
    document.toJS() as object,
  );
  validators.set(path, validate);
  return validate;
}

function describeSchemaError(error: ErrorObject | undefined): string {
  if (error === undefined) return 'does not fit its schema';
  const description: unknown = error.parentSchema?.['description'];
  // A sentence says more to an operator than a regular expression.
  if (error.keyword === 'pattern' && typeof description === 'string') return `does not have the form: ${description}`;
  const { additionalProperty, allowedValues } = error.params as Readonly<Record<string, unknown>>;
  const details = Array.isArray(allowedValues) ? allowedValues : [additionalProperty];
  const detail = details.filter((one) => typeof one === 'string').join(', ');
  return detail === '' ? (error.message ?? error.keyword) : `${error.message}: ${detail}`;
}

function findLine(document: Document, lines: LineCounter, pointer: string): number | undefined {
  const keys = pointer
    .split('/')
    .slice(1)
    .map((key) => key.replaceAll('~1', '/').replaceAll('~0', '~'));
  const node = keys.length === 0 ? document.contents : document.getIn(keys, true);
  return isNode(node) && node.range ? lines.linePos(node.range[0]).line : undefined;
}

/** JSON pointer of the first value that is this text. */
function pointerTo(value: unknown, text: string, path = ''): string | null {
  if (value === text) return path;
  if (typeof value !== 'object' || value === null) return null;
  for (const [key, inner] of Object.entries(value)) {
    const found = pointerTo(inner, text, `${path}/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`);
    if (found !== null) return found;
  }
  return null;
}

/** Regular expressions, maps and sets stay as they are: a frozen pattern with the flag `g` could not be used. */
function frozen<T>(value: T): T {
  const isPlain = Array.isArray(value) || Object.getPrototypeOf(value ?? 0) === Object.prototype;
  if (!isPlain || Object.isFrozen(value)) return value;
  for (const inner of Object.values(value as object)) frozen(inner);
  return Object.freeze(value);
}
