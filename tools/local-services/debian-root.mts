import { existsSync } from 'node:fs';
import { mkdir, readdir, rename, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { basename, join } from 'node:path';
import { livingOwner, processStartTime, waitForLock } from './lock-file.mts';
import {
  describeRoot,
  findFlaw,
  LIBRARIES,
  PACKAGES,
  parseUris,
  recipe,
  sha256Of,
  SUITE,
  type DebianPackage,
} from './manifest.mts';
import { onPath, run } from './processes.mts';

export type Progress = (line: string) => void;

const UID = '999';
const MEGABYTE = 1e6;
/** Not needed by a server; a third of the bytes. */
const LEFT_OUT = ['doc', 'man', 'locale', 'info', 'lintian'].map((folder) => `--exclude=./usr/share/${folder}/*`);

/**
 * A folder with the part of Debian that runs PostgreSQL with DocumentDB, Redis, Dovecot and NSD. Nothing is installed on the
 * machine: packages are verified and unpacked into the user's cache, and run in a separate namespace.
 */
export class DebianRoot {
  readonly path: string;
  readonly #bwrap: string[];

  constructor(path: string, bwrap: string[]) {
    this.path = path;
    this.#bwrap = bwrap;
  }

  /** The command line that runs `command` inside, with `data` as its writable folder /data. */
  wrap(data: string, command: string[], extra: string[] = []): [string, string[]] {
    const namespace = ['--unshare-user', '--uid', UID, '--gid', UID, '--unshare-pid', '--die-with-parent'];
    const mounts = ['--ro-bind', this.path, '/', '--bind', data, '/data', '--dev', '/dev', '--proc', '/proc'];
    const scratch = ['--tmpfs', '/tmp', '--tmpfs', '/run', '--chdir', '/data', '--clearenv'];
    const env = ['--setenv', 'LC_ALL', 'C.UTF-8', '--setenv', 'PATH', '/usr/sbin:/usr/bin'];
    const [program = '', ...first] = this.#bwrap;
    return [program, [...first, ...namespace, ...mounts, ...scratch, ...env, ...extra, '--', ...command]];
  }
}

let ensuring: Promise<DebianRoot> | undefined;

/**
 * Finds the root in the cache or builds it; throws an error of one clear sentence when that is impossible. Concurrent
 * callers share one build; only the first caller gets its progress.
 */
export function ensureDebianRoot(progress: Progress): Promise<DebianRoot> {
  ensuring ??= findOrBuild(progress).finally(() => (ensuring = undefined));
  return ensuring;
}

async function findOrBuild(progress: Progress): Promise<DebianRoot> {
  const cache = join(process.env['XDG_CACHE_HOME'] || join(homedir(), '.cache'), 'outreach-services');
  const root = join(cache, recipe());
  await mkdir(cache, { recursive: true });
  if (await findFlaw(root)) {
    assertCanBuild();
    const lock = await waitForLock(`${root}.lock`, (pid) =>
      progress(`waiting for process ${pid}, which prepares Debian packages`),
    );
    try {
      const flaw = await findFlaw(root);
      if (flaw) await rebuild(root, flaw, progress);
    } finally {
      await lock.release();
    }
  }
  const bwrap = await workingBwrap(root);
  return new DebianRoot(root, bwrap);
}

function assertCanBuild(): void {
  if (process.platform !== 'linux' || process.arch !== 'x64') {
    throw new Error(
      `the Debian packages run on Linux on x86-64 only, and this is ${process.platform} on ${process.arch}`,
    );
  }
  for (const tool of ['apt-get', 'dpkg-deb', 'tar']) {
    if (!onPath(tool)) throw new Error(`${tool} is not on the PATH (it is needed to unpack Debian packages)`);
  }
}

/** The installed Bubblewrap, else the unpacked one through its own loader, which works with any libc. */
async function workingBwrap(root: string): Promise<string[]> {
  const own = onPath('bwrap');
  const libraries = join(root, LIBRARIES);
  const unpacked = [join(libraries, 'ld-linux-x86-64.so.2'), '--library-path', libraries, join(root, 'usr/bin/bwrap')];
  const failures: string[] = [];
  for (const candidate of own ? [[own], unpacked] : [unpacked]) {
    const [command, args] = new DebianRoot(root, candidate).wrap(root, ['/usr/bin/true']);
    const result = await run(command, args, { timeoutMs: 20_000 });
    if (result.code === 0) return candidate;
    failures.push(result.stderr.trim().split('\n').pop() ?? '');
  }
  const who = process.getuid?.() === 0 ? 'even for root, as in most containers' : 'for this user';
  throw new Error(
    `user namespaces are not available ${who} (bubblewrap says: ${failures.join('; ')}). ` +
      'Allow them (sysctl kernel.unprivileged_userns_clone=1, kernel.apparmor_restrict_unprivileged_userns=0, ' +
      'or docker run --security-opt seccomp=unconfined)',
  );
}

async function rebuild(root: string, flaw: string, progress: Progress): Promise<void> {
  await removeLeftovers(root);
  if (existsSync(root)) {
    progress(`building the Debian packages folder again: ${flaw}`);
    await rename(root, `${root}.old-${process.pid}`);
  }
  // The start time identifies the folder of a dead process even when its pid is in use again.
  const building = `${root}.building-${process.pid}-${processStartTime(process.pid)}`;
  try {
    await build(building, progress);
    await rename(building, root);
  } finally {
    await rm(building, { recursive: true, force: true });
    await rm(`${root}.old-${process.pid}`, { recursive: true, force: true });
  }
}

async function removeLeftovers(root: string): Promise<void> {
  const folder = join(root, '..');
  for (const name of await readdir(folder)) {
    const match = name.startsWith(basename(root)) && /\.(?:building|old)-(\d+)-?(\d*)$/.exec(name);
    if (match && livingOwner(`${match[1]} ${match[2]}`) === undefined)
      await rm(join(folder, name), { recursive: true });
  }
}

async function build(building: string, progress: Progress): Promise<void> {
  const state = join(building, '.apt');
  const packages = await download(state, progress);
  await unpack(building, join(state, 'cache/archives'), packages, progress);
  await rm(state, { recursive: true });
  await finishLikeMaintainerScripts(building);
  await writeFile(join(building, 'manifest.json'), JSON.stringify(await describeRoot(building, packages), null, 1));
}

async function download(state: string, progress: Progress): Promise<DebianPackage[]> {
  const archives = join(state, 'cache/archives');
  for (const folder of ['lists/partial', 'cache/archives/partial'])
    await mkdir(join(state, folder), { recursive: true });
  await writeFile(join(state, 'status'), '');
  const keyring = ['gpg', 'pgp'].map((kind) => `/usr/share/keyrings/debian-archive-keyring.${kind}`).find(existsSync);
  if (!keyring) throw new Error("Debian's signing keys are missing: install the package debian-archive-keyring");
  await writeFile(join(state, 'sources.list'), `deb [signed-by=${keyring}] ${await debianMirror()} ${SUITE} main\n`);
  const options = [
    `Dir::Etc::sourcelist=${state}/sources.list`,
    'Dir::Etc::sourceparts=/dev/null',
    `Dir::State::Lists=${state}/lists`,
    `Dir::State::status=${state}/status`,
    `Dir::Cache=${state}/cache`,
    'APT::Install-Recommends=false',
    'APT::Sandbox::User=root',
    'Debug::NoLocking=1',
    'Acquire::Languages=none',
    'Acquire::Retries=3',
    'Acquire::ForceHash=SHA256',
  ].flatMap((option) => ['-o', option]);
  const apt = async (...args: string[]): Promise<string> => {
    const result = await run('apt-get', [...options, ...args]);
    if (result.code !== 0) throw new Error(`apt-get ${args[0]} failed:\n${result.stderr.trim().slice(-1_500)}`);
    return result.stdout;
  };
  await repeating(() => progress(`reading the package index of Debian ${SUITE}`), apt('update'));
  const packages = parseUris(await apt('install', '--print-uris', '-y', '-qq', ...PACKAGES));
  if (packages.length === 0) throw new Error('apt-get named no packages to download');
  const total = Math.ceil(packages.reduce((sum, { size }) => sum + size, 0) / MEGABYTE);
  const report = async (): Promise<void> => {
    progress(`downloading Debian packages, ${Math.floor((await folderSize(archives)) / MEGABYTE)} of ${total} MB`);
  };
  await repeating(() => void report(), apt('install', '-y', '--download-only', ...PACKAGES));
  return packages;
}

/** The mirror of this machine's own apt; DEBIAN_MIRROR when that is not Debian's (Ubuntu). */
async function debianMirror(): Promise<string> {
  if (process.env['DEBIAN_MIRROR']) return process.env['DEBIAN_MIRROR'];
  const { stdout } = await run('apt-get', ['indextargets', '--format', '$(REPO_URI)']);
  const mirror = stdout.split('\n').find((uri) => /\/debian\/?$/.test(uri));
  if (!mirror) throw new Error('apt has no Debian mirror here: set DEBIAN_MIRROR to the address of one');
  return mirror;
}

/** Reports progress at once and every two seconds until the work is done. */
async function repeating<T>(say: () => void, work: Promise<T>): Promise<T> {
  say();
  const timer = setInterval(say, 2_000);
  return work.finally(() => clearInterval(timer));
}

async function folderSize(folder: string): Promise<number> {
  let sum = 0;
  for (const name of await readdir(folder, { recursive: true }).catch(() => [])) {
    const found = await stat(join(folder, name)).catch(() => undefined);
    if (found?.isFile()) sum += found.size;
  }
  return sum;
}

async function unpack(
  building: string,
  archives: string,
  packages: DebianPackage[],
  progress: Progress,
): Promise<void> {
  const queue = [...packages];
  let done = 0;
  const work = async (): Promise<void> => {
    for (let next = queue.shift(); next; next = queue.shift()) {
      const deb = join(archives, next.file);
      if ((await sha256Of(deb)) !== next.sha256)
        throw new Error(`${next.file} does not have the SHA-256 that apt announced`);
      const script =
        'set -e; deb=$1; to=$2; shift 2; dpkg-deb --fsys-tarfile "$deb" > "$deb.tar"; tar -x -f "$deb.tar" -C "$to" --no-same-owner "$@"; rm "$deb" "$deb.tar"';
      const result = await run('sh', ['-c', script, 'sh', deb, building, ...LEFT_OUT, '--exclude=*.bc']);
      if (result.code !== 0) throw new Error(`cannot unpack ${next.file}: ${result.stderr.trim().slice(-500)}`);
      done++;
    }
  };
  await repeating(
    () => progress(`unpacking Debian packages, ${done} of ${packages.length}`),
    Promise.all([work(), work()]),
  );
}

/** Does the part of the packages' maintainer scripts that the servers need. */
async function finishLikeMaintainerScripts(building: string): Promise<void> {
  const link = async (target: string, name: string): Promise<void> => {
    await symlink(target, join(building, name)).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'EEXIST') throw error;
    });
  };
  for (const folder of ['bin', 'sbin', 'lib', 'lib64']) await link(`usr/${folder}`, folder);
  await link('dash', 'usr/bin/sh');
  await link('postgis-3.control', 'usr/share/postgresql/18/extension/postgis.control');
  await writeFile(join(building, 'etc/passwd'), `root:x:0:0::/:/bin/sh\nservice:x:${UID}:${UID}::/data:/bin/sh\n`);
  await writeFile(join(building, 'etc/group'), `root:x:0:\nservice:x:${UID}:\n`);
  await writeFile(join(building, 'etc/hosts'), '127.0.0.1 localhost\n::1 localhost\n');
  for (const folder of ['proc', 'dev', 'tmp', 'run', 'data']) await mkdir(join(building, folder), { recursive: true });
  const [program = '', ...args] = await workingBwrap(building);
  const cached = await run(program, [...args, '--bind', building, '/', '--dev', '/dev', '/usr/sbin/ldconfig']);
  if (cached.code !== 0) throw new Error(`ldconfig failed: ${cached.stderr.trim()}`);
}
