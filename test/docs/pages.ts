import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Page } from './markdown';

export const ROOT = join(__dirname, '../..');
/** Folders with pages, including their subfolders. */
const FOLDERS = ['docs', 'tools', 'clients', 'deploy', 'apps', 'libs', 'test'];
/** Folders that a package manager, a build or a generator fills. */
const NOT_OURS = /(^|\/)(node_modules|dist|generated|\.[^/]+)\//;

/** Every page of the repository. */
export function readPages(): readonly Page[] {
  const atTop = readdirSync(ROOT).filter(isPage);
  const below = FOLDERS.flatMap((folder) => filesBelow(folder).filter(isPage));
  return [...atTop, ...below].toSorted().map((path) => new Page(path, readText(path)));
}

export const readText = (path: string): string => readFileSync(join(ROOT, path), 'utf8');

const isPage = (path: string): boolean => path.endsWith('.md') && !NOT_OURS.test(path);

/** Paths from the root; empty for a missing folder. */
function filesBelow(folder: string): string[] {
  if (!readdirSync(ROOT).includes(folder)) return [];
  return readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' }).map((path) => `${folder}/${path}`);
}
