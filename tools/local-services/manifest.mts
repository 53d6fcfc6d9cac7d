import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';

/** Increase it with every change of the unpacking: all existing roots are then built again. */
const FORMAT = 3;
export const SUITE = 'forky'; // The first Debian with postgresql-18-documentdb.
export const PACKAGES = [
  'postgresql-18-documentdb',
  'redis-server',
  'dovecot-imapd',
  'nsd',
  'bubblewrap',
  'dash',
  'coreutils',
  'libc-bin',
];
export const LIBRARIES = 'usr/lib/x86_64-linux-gnu';

/** Required files: their sizes are checked at every start. */
export const ESSENTIAL = [
  `${LIBRARIES}/ld-linux-x86-64.so.2`,
  `${LIBRARIES}/libc.so.6`,
  'usr/bin/bwrap',
  'usr/bin/redis-server',
  'usr/sbin/dovecot',
  'usr/sbin/nsd',
  'usr/lib/postgresql/18/bin/postgres',
  'usr/lib/postgresql/18/bin/initdb',
  'usr/lib/postgresql/18/lib/pg_documentdb.so',
  'usr/lib/postgresql/18/lib/pg_documentdb_core.so',
  'usr/lib/postgresql/18/lib/pg_documentdb_extended_rum.so',
  'usr/lib/postgresql/18/lib/pg_cron.so',
  'etc/passwd',
];

/** One package in apt's signed index. */
export interface DebianPackage {
  uri: string;
  file: string;
  name: string;
  version: string;
  size: number;
  sha256: string;
}

export interface Manifest {
  recipe: string;
  packages: { name: string; version: string; sha256: string }[];
  files: Record<string, number>;
}

/** The inputs of a root; two roots of one recipe are interchangeable. */
export function recipe(): string {
  const text = JSON.stringify([FORMAT, SUITE, process.arch, PACKAGES]);
  return `${SUITE}-${createHash('sha256').update(text).digest('hex').slice(0, 12)}`;
}

/** Reads `apt-get --print-uris`: one line `'uri' file size SHA256:hex` for each package. */
export function parseUris(output: string): DebianPackage[] {
  const packages: DebianPackage[] = [];
  for (const line of output.split('\n')) {
    const match = /^'([^']+)' (\S+\.deb) (\d+) SHA256:([0-9a-f]{64})$/.exec(line.trim());
    if (!match) continue;
    const [, uri = '', file = '', size, sha256 = ''] = match;
    const [name = '', version = ''] = file.split('_');
    packages.push({ uri, file, name, version: decodeURIComponent(version), size: Number(size), sha256 });
  }
  return packages;
}

export async function sha256Of(path: string): Promise<string> {
  const hash = createHash('sha256');
  await pipeline(createReadStream(path), hash);
  return hash.digest('hex');
}

export async function describeRoot(root: string, packages: DebianPackage[]): Promise<Manifest> {
  const files: Record<string, number> = {};
  for (const file of ESSENTIAL) files[file] = (await stat(join(root, file))).size;
  return {
    recipe: recipe(),
    packages: packages.map(({ name, version, sha256 }) => ({ name, version, sha256 })),
    files,
  };
}

/** Why this folder is not a usable root, or undefined when it is one. */
export async function findFlaw(root: string): Promise<string | undefined> {
  const text = await readFile(join(root, 'manifest.json'), 'utf8').catch(() => undefined);
  if (text === undefined) return 'it has no manifest';
  let manifest: Manifest;
  try {
    manifest = JSON.parse(text) as Manifest;
  } catch {
    return 'its manifest cannot be read';
  }
  if (manifest.recipe !== recipe()) return `it was built as ${manifest.recipe}`;
  for (const file of ESSENTIAL) {
    const size = await stat(join(root, file)).then(
      (found) => found.size,
      () => -1,
    );
    if (size !== manifest.files?.[file]) return `${file} is missing or has changed`;
  }
  return undefined;
}
