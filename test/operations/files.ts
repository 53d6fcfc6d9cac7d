import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse, parseAllDocuments } from 'yaml';

const ROOT = join(__dirname, '../..');

export function textOf(path: string): string {
  return readFileSync(join(ROOT, path), 'utf8');
}

export function filesIn(folder: string): string[] {
  return readdirSync(join(ROOT, folder), { withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ name }) => `${folder}/${name}`);
}

export function yamlOf<T>(path: string): T {
  return parse(textOf(path), { merge: true }) as T;
}

/** All documents of a YAML file. @throws Error for invalid YAML and for duplicate keys */
export function documentsOf<T>(path: string): T[] {
  return parseAllDocuments(textOf(path), { uniqueKeys: true, strict: true }).map((document) => {
    if (document.errors[0]) throw document.errors[0];
    return document.toJS() as T;
  });
}
