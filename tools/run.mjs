/**
 * Runs every command of this repository: `node tools/run.mjs <command>` works from a fresh clone with any
 * Node >= 18 and npm. It installs the dependencies when they are missing or outdated, then starts tools/run/main.mts
 * with the Node version of the project. Built-ins only: nothing is installed yet when this file runs.
 */
import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { constants } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const modules = join(root, 'node_modules');

/** Only one process installs; the others wait, since npm rebuilds node_modules in place. */
async function ensureInstalled() {
  if (isInstalled()) return;
  const lock = join(root, '.local', 'install.lock');
  mkdirSync(dirname(lock), { recursive: true });
  for (let round = 0; !takeLock(lock); round++) {
    if (round % 4 === 0) console.log('waiting for another process that installs the dependencies');
    await new Promise((done) => setTimeout(done, 1000));
  }
  try {
    if (isInstalled()) return;
    await install();
  } finally {
    rmSync(lock, { force: true });
  }
}

/**
 * npm records the content of node_modules at the end of every install: it must match the lock file. True
 * after every complete install, even a manual one; false after an interrupted one or when the lock file changed.
 */
function isInstalled() {
  const wanted = packagesOf(join(root, 'package-lock.json'));
  const present = packagesOf(join(modules, '.package-lock.json'));
  if (!wanted || !present) return false;
  return Object.entries(wanted).every(([path, { version, integrity, optional, devOptional, link }]) => {
    const found = present[path];
    if (path === '' || link) return true;
    // Packages for other platforms are not installed.
    if (!found) return Boolean(optional || devOptional);
    return found.version === version && found.integrity === integrity;
  });
}

/**
 * @typedef {{ version?: string, integrity?: string, optional?: boolean, devOptional?: boolean, link?: boolean }} Locked
 * @param {string} file
 * @returns {Record<string, Locked> | undefined}
 */
function packagesOf(file) {
  try {
    return JSON.parse(readFileSync(file, 'utf8')).packages;
  } catch {
    return undefined;
  }
}

/** @param {string} lock */
function takeLock(lock) {
  try {
    writeFileSync(lock, String(process.pid), { flag: 'wx' });
    return true;
  } catch {
    const owner = Number(existsSync(lock) ? readFileSync(lock, 'utf8') : 0);
    if (owner > 0 && isAlive(owner)) return false;
    // Its owner was killed.
    rmSync(lock, { force: true });
    return false;
  }
}

/** @param {number} pid */
function isAlive(pid) {
  try {
    process.kill(pid, 0);
    return !/^State:\s+Z/m.test(existsSync(`/proc/${pid}/status`) ? readFileSync(`/proc/${pid}/status`, 'utf8') : '');
  } catch (error) {
    return /** @type {NodeJS.ErrnoException} */ (error).code === 'EPERM';
  }
}

/**
 * Without entries for other platforms' optional packages, `npm ci` rejects the lock file; a registry that mirrors only
 * some platforms omits them. `npm install --no-save` installs the same locked versions, checks the same hashes, and keeps
 * the lock file unchanged.
 */
const INSTALL = [
  'install',
  '--no-save',
  '--include=dev',
  '--include=optional',
  '--no-audit',
  '--no-fund',
  '--loglevel=error',
];

/** Uses the cache of npm without requests, which saves a third of the work. */
const FROM_CACHE = [...INSTALL, '--prefer-offline'];

/** npm reports a missing version: its cache is older than the lock file. */
const OUTDATED = /\bETARGET\b/;

async function install() {
  const started = Date.now();
  const seconds = () => Math.round((Date.now() - started) / 1000);
  console.log('installing dependencies');
  const timer = setInterval(() => console.log(`installing dependencies, ${seconds()} s`), 3000);
  try {
    let failure = await failureOf(FROM_CACHE);
    if (OUTDATED.test(failure)) failure = await failureOf(INSTALL);
    if (failure !== '') throw new Error(failure);
    console.log(`dependencies installed in ${seconds()} s`);
  } finally {
    clearInterval(timer);
  }
}

/**
 * @param {string[]} args
 * @returns the output of npm when it fails, otherwise an empty text
 */
function failureOf(args) {
  return new Promise((done, failed) => {
    // NODE_ENV=production would omit the packages for builds and tests.
    const npm = spawn('npm', args, {
      cwd: root,
      stdio: ['ignore', 'pipe', 'pipe'],
      shell: process.platform === 'win32',
    });
    const forward = forwardSignals(npm);
    let output = '';
    for (const stream of [npm.stdout, npm.stderr]) stream.on('data', (chunk) => (output += chunk));
    npm.once('error', (error) => failed(new Error(`npm cannot be started: ${error.message}`)));
    npm.once('close', (code, signal) => {
      forward.end();
      done(code === 0 ? '' : `${shortened(output)}\nnpm install failed (${signal ?? `exit code ${code}`})`);
    });
  });
}

/**
 * npm prints the error first and its usage last, over many lines.
 * @param {string} output
 */
function shortened(output) {
  const lines = output.trim().split('\n');
  return lines.length <= 40 ? lines.join('\n') : [...lines.slice(0, 25), '...', ...lines.slice(-5)].join('\n');
}

/** The Node of node_modules; the running one when the package has none for this platform. */
function projectNode() {
  const bundled = join(modules, '.bin', process.platform === 'win32' ? 'node.cmd' : 'node');
  if (existsSync(bundled)) return bundled;
  if (Number(process.versions.node.split('.')[0]) >= 24) return process.execPath;
  throw new Error(
    `this project needs Node 24 or newer: there is no bundled one for ${process.platform} on ${process.arch}, ` +
      `and this is Node ${process.versions.node}`,
  );
}

/** @param {import('node:child_process').ChildProcess} child */
function forwardSignals(child) {
  /** @type {NodeJS.Signals[]} */
  const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'];
  /** @param {NodeJS.Signals} signal */
  const forward = (signal) => void child.kill(signal);
  for (const signal of signals) process.on(signal, forward);
  return { end: () => signals.forEach((signal) => process.off(signal, forward)) };
}

function runMain() {
  const path = [join(modules, '.bin'), process.env.PATH].filter(Boolean).join(delimiter);
  // A separate process group, so that a signal of the terminal arrives once, through this process. The IPC channel
  // closes when this process is killed, and the other side then stops its processes.
  const child = spawn(projectNode(), [join(root, 'tools/run/main.mts'), ...process.argv.slice(2)], {
    cwd: root,
    env: { ...process.env, PATH: path },
    stdio: ['inherit', 'inherit', 'inherit', 'ipc'],
    detached: process.platform !== 'win32',
  });
  forwardSignals(child);
  child.once('error', (error) => fail(error));
  child.once('exit', (code, signal) => process.exit(signal ? 128 + (constants.signals[signal] ?? 0) : (code ?? 1)));
  stopWithNpm(child);
}

/**
 * When npm is killed with SIGKILL, it cannot forward anything: its child detects that it, or the shell between, has another parent.
 * @param {import('node:child_process').ChildProcess} child
 */
function stopWithNpm(child) {
  if (!process.env.npm_lifecycle_event) return;
  const ancestors = () => `${process.ppid} ${parentOf(process.ppid)}`;
  const atStart = ancestors();
  setInterval(() => ancestors() !== atStart && child.kill('SIGTERM'), 1000).unref();
}

/** @param {number} pid */
function parentOf(pid) {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    const name = stat.slice(stat.indexOf('(') + 1, stat.lastIndexOf(')'));
    const rest = stat.slice(stat.lastIndexOf(')') + 2);
    // Above npm, other processes do not matter.
    return /^(?:ba|da|z|a)?sh$/.test(name) ? rest.split(' ')[1] : '';
  } catch {
    return '';
  }
}

/** @param {unknown} error */
function fail(error) {
  console.error(error instanceof Error ? error.message : error);
  process.exit(1);
}

ensureInstalled().then(runMain).catch(fail);
