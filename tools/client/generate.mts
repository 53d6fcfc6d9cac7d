import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { ApiDocument } from './document.mts';
import { documentForTypes, listErrorCodes, operationsSource } from './emit.mts';

const ROOT = join(dirname(fileURLToPath(import.meta.url)), '../..');
const DOCUMENT = join(ROOT, 'docs/reference/openapi.json');
const ERRORS = join(ROOT, 'docs/reference/errors.md');
const GENERATED = join(ROOT, 'clients/typescript/src/generated');
/** Records the inputs of the generated files. */
const STAMP = 'made-from';

/** No API schema ends in this word, so that no operation has the name of a schema. */
const TYPE_NAMES = {
  requests: { name: '{{name}}Input' },
  responses: { name: '{{name}}Answers', response: '{{name}}Answer' },
};

/**
 * Generates the TypeScript client when it is missing, or when the document or the generator has changed.
 * Otherwise it takes milliseconds, so that every command can begin with it.
 * @returns whether it was generated
 */
export async function ensureClient(folder = GENERATED): Promise<boolean> {
  const wanted = await madeFrom();
  if ((await createStamp(folder)) === wanted) return false;
  await generate(folder, wanted);
  return true;
}

function createStamp(folder: string): Promise<string> {
  return readFile(join(folder, STAMP), 'utf8').catch(() => '');
}

/** Hash of all inputs of the generated files. */
async function madeFrom(): Promise<string> {
  const own = (await readdir(import.meta.dirname)).filter((name) => /(?<!\.spec)\.mts$/.test(name)).toSorted();
  const sources = [DOCUMENT, ERRORS, ...own.map((name) => join(import.meta.dirname, name))];
  const hash = createHash('sha256').update(generatorVersion());
  for (const source of sources) hash.update(await readFile(source)).update('\0');
  return hash.digest('hex');
}

/** Writes to a temporary folder and moves it: no process reads partial output, and an interrupted run leaves none. */
async function generate(folder: string, stamp: string): Promise<void> {
  const document = JSON.parse(await readFile(DOCUMENT, 'utf8')) as ApiDocument;
  const codes = listErrorCodes(await readFile(ERRORS, 'utf8'));
  await mkdir(dirname(folder), { recursive: true });
  const made = await mkdtemp(join(dirname(folder), '.generated-'));
  try {
    await writeTypes(documentForTypes(document), made);
    await writeFile(join(made, 'operations.gen.ts'), operationsSource(document, codes));
    await writeFile(join(made, STAMP), stamp);
    await replace(folder, made);
  } catch (error) {
    // Another command finished first; its result is the same.
    if ((await createStamp(folder)) !== stamp) throw error;
  } finally {
    await rm(made, { recursive: true, force: true });
  }
}

async function writeTypes(document: object, folder: string): Promise<void> {
  // Loaded on demand: it takes half a second and is rarely needed.
  const { createClient } = await import('@hey-api/openapi-ts');
  await createClient({
    input: document as Record<string, unknown>,
    output: { path: folder, entryFile: false, clean: false },
    plugins: [{ name: '@hey-api/typescript', ...TYPE_NAMES }],
    logs: { level: 'silent', file: false },
  });
}

async function replace(folder: string, made: string): Promise<void> {
  const old = `${made}-old`;
  if (existsSync(folder)) await rename(folder, old);
  try {
    await rename(made, folder);
  } finally {
    await rm(old, { recursive: true, force: true });
  }
}

function generatorVersion(): string {
  const { version } = createRequire(import.meta.url)('@hey-api/openapi-ts/package.json') as { version: string };
  return version;
}
