/** Starts and observes the measured processes, in a database of their own. */
import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { promisify } from 'node:util';
import mongoose from 'mongoose';
import { freePort } from '../local-services/ports.mts';
import { dyingWithParent } from '../local-services/processes.mts';

const root = join(import.meta.dirname, '..', '..');
const CLI = join(root, 'dist/apps/cli/src/main.js');
const READY_LIMIT_MS = 60_000;
const STOP_LIMIT_MS = 20_000;
const SETTLE_MS = 3_000;
/** USER_HZ: the unit of the times in /proc is 10 ms on every Linux that Node runs on. */
const MS_PER_TICK = 10;
/** Arguments of Node that `settledMib` needs. */
export const SETTLING = ['--expose-gc', '--import', './tools/bench/settle.mjs'];

/** Loads a compiled file, by its path without extension; `built.spec.mts` compares its exports with the sources. */
export const loadBuilt = (path: string) => loadFile(join(root, 'dist', path));
const loadFile = createRequire(import.meta.url);

type Environment = Readonly<Record<string, string>>;

export interface Workspace {
  workspaceId: string;
  key: string;
}

interface Start {
  /** Script and its arguments, from the root of the repository. */
  command: string[];
  nodeArgs?: string[];
  env: Environment;
  port: number;
  readyPath: string;
}

/** The flags and allocator settings of the image for Node: the benches measure the deployed configuration. */
function readImage(): { args: string[]; env: Record<string, string> } {
  const dockerfile = readFileSync(join(root, 'Dockerfile'), 'utf8');
  const command = /^CMD (\[.*\])$/m.exec(dockerfile)?.[1];
  if (command === undefined) throw new Error('The Dockerfile has no CMD line of the form ["node", …]');
  const allocator = [...dockerfile.matchAll(/\b(MALLOC_\w+)=(\d+)/g)].map(([, name, value]) => [name, value]);
  const args = (JSON.parse(command) as string[]).filter((arg) => arg.startsWith('-'));
  return { args, env: Object.fromEntries(allocator) };
}

/** One measured process that answers HTTP. */
export class Server {
  readonly url: string;
  readonly #start: Start;
  readonly #child: ChildProcess;
  readonly #exited: Promise<unknown>;
  #complaints = '';

  private constructor(start: Start) {
    this.#start = start;
    this.url = `http://127.0.0.1:${start.port}`;
    const image = readImage();
    const [script = '', ...rest] = start.command;
    const all = [...image.args, ...(start.nodeArgs ?? []), join(root, script), ...rest];
    const [command, args] = dyingWithParent(process.execPath, all, 'SIGTERM');
    const env = { ...image.env, ...start.env };
    // Log lines are written as in production and discarded: a pipe would be work for the measuring process.
    this.#child = spawn(command, args, { cwd: root, env, stdio: ['ignore', 'ignore', 'pipe'] });
    this.#child.stderr?.on('data', (chunk: Buffer) => (this.#complaints += chunk.toString()));
    this.#exited = new Promise((done) => {
      this.#child.once('close', done);
      this.#child.once('error', done);
    });
  }

  static async start(start: Start): Promise<Server> {
    const server = new Server(start);
    const deadline = Date.now() + READY_LIMIT_MS;
    const isReady = () => fetch(server.url + start.readyPath).then(({ ok }) => ok);
    while (!(await isReady().catch(() => false))) {
      if (server.#hasEnded || Date.now() > deadline) {
        await server.stop();
        throw new Error(`${start.command.join(' ')} did not start: ${server.#complaints.trim() || 'no answer'}`);
      }
      await pause(50);
    }
    return server;
  }

  /** The JSON answer of a child of the bench. @throws for another status than 200 */
  async read<T>(path: string): Promise<T> {
    const answer = await fetch(this.url + path);
    const text = await answer.text();
    if (answer.status !== 200) throw new Error(`${path}: ${answer.status} ${text.slice(0, 1_000)}`);
    return JSON.parse(text) as T;
  }

  /** The `data` of an answer of the API. @throws unless it is a 2xx */
  async call<T>(key: string, method: string, path: string, body?: object): Promise<T> {
    const headers = { 'x-api-key': key, 'content-type': 'application/json' };
    const answer = await fetch(this.url + path, { method, headers, ...(body && { body: JSON.stringify(body) }) });
    const text = await answer.text();
    if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${text.slice(0, 500)}`);
    return (JSON.parse(text) as { data: T }).data;
  }

  /** CPU time that the process has used so far, user and system, in milliseconds (exact to 10). */
  cpuMs(): number {
    // After the name in parentheses, which may contain spaces: utime and stime are fields 14 and 15 of proc(5).
    const stat = readFileSync(`/proc/${this.#pid}/stat`, 'utf8').split(') ').at(-1) ?? '';
    const [userTicks, systemTicks] = stat.split(' ').slice(11, 13);
    return (Number(userTicks) + Number(systemTicks)) * MS_PER_TICK;
  }

  /** Resident memory in MiB, as `ps` and `docker stats` show it. */
  residentMib(): number {
    return readMib(this.#pid, 'VmRSS');
  }

  /** Maximum resident memory in MiB. The kernel records it, so that no peak is missed. */
  peakMib(): number {
    return readMib(this.#pid, 'VmHWM');
  }

  /** Resident memory in MiB after a garbage collection; the process must have been started with `SETTLING`. */
  async settledMib(): Promise<number> {
    this.#child.kill('SIGUSR2');
    await pause(SETTLE_MS);
    return this.residentMib();
  }

  async stop(): Promise<void> {
    if (this.#hasEnded) return;
    this.#child.kill('SIGTERM');
    const timer = setTimeout(() => this.#child.kill('SIGKILL'), STOP_LIMIT_MS);
    await this.#exited;
    clearTimeout(timer);
  }

  get #hasEnded(): boolean {
    return this.#child.pid === undefined || this.#child.exitCode !== null || this.#child.signalCode !== null;
  }

  get #pid(): number {
    if (this.#hasEnded) throw new Error(`${this.#start.command.join(' ')} has ended: ${this.#complaints.trim()}`);
    return this.#child.pid ?? 0;
  }
}

/** A separate database and queue prefix on the given services, deleted at the end. */
export class Fixture {
  readonly mongodbUri: string;
  readonly #env: Record<string, string>;
  readonly #client: mongoose.mongo.MongoClient;
  readonly #servers: Server[] = [];

  constructor(mongodbUri: string, redisUrl: string) {
    const name = `bench_${randomBytes(6).toString('hex')}`;
    const uri = new URL(mongodbUri);
    uri.pathname = `/${name}`;
    this.mongodbUri = uri.href;
    this.#client = new mongoose.mongo.MongoClient(this.mongodbUri);
    this.#env = {
      PATH: process.env['PATH'] ?? '',
      NODE_ENV: 'production',
      MONGODB_URI: this.mongodbUri,
      REDIS_URL: redisUrl,
      QUEUE_PREFIX: name,
      SECRET_KEYS: `k1:${randomBytes(32).toString('base64')}`,
      API_HOST: '127.0.0.1',
      OPS_HOST: '127.0.0.1',
      API_METRICS_PORT: '0',
      // The limiter counts every request in Redis, as in production, and rejects none.
      RATE_LIMIT_REQUESTS: '1000000',
      DEFAULT_MAX_MAILBOXES: '10000',
      // No server answers there: an invented domain stays unknown, and its campaigns start.
      DNS_SERVERS: '127.0.0.1:9',
    };
  }

  /** The signing keys of the servers. */
  get secretKeys(): string {
    return this.#env['SECRET_KEYS'] ?? '';
  }

  get database(): mongoose.mongo.Db {
    return this.#client.db();
  }

  /** Starts the API or the worker with production settings: each request is logged, limited and measured. */
  async app(name: 'api' | 'worker', env: Environment = {}, nodeArgs: string[] = []): Promise<Server> {
    const port = await freePort();
    const own = { ...this.#env, ...env, [`${name.toUpperCase()}_PORT`]: String(port) };
    const command = [`dist/apps/${name}/src/main.js`];
    return this.#start({ command, nodeArgs, env: own, port, readyPath: '/health/ready' });
  }

  /** Starts a process without the platform's settings that serves what this function of a file of the bench returns. */
  async child(file: string, serve: string, env: Environment = {}, nodeArgs: string[] = []): Promise<Server> {
    const port = await freePort();
    const { PATH = '', MONGODB_URI = '', REDIS_URL = '' } = this.#env;
    const own = { PATH, MONGODB_URI, REDIS_URL, ...env, PORT: String(port) };
    const command = ['tools/bench/child.mts', file, serve];
    return this.#start({ command, nodeArgs, env: own, port, readyPath: '/ready' });
  }

  /** Creates a workspace by operator commands, with some credits. */
  async workspace(name: string): Promise<Workspace> {
    const user = await this.#operate('users', 'create', '--email', `${name}@example.com`, '--name', name);
    const workspace = await this.#operate('workspaces', 'create', '--owner', user['id'] ?? '', '--name', name);
    const workspaceId = workspace['id'] ?? '';
    const { key = '' } = await this.#operate('keys', 'create', '--workspace', workspaceId);
    await this.#operate('credits', 'grant', workspaceId, '1000');
    return { workspaceId, key };
  }

  /** Runs an operator command as in the image; returns its output, time and peak memory. @throws when it fails */
  async command(...command: string[]): Promise<{ stdout: string; seconds: number; peakMib: number }> {
    const { args, env } = readImage();
    const started = performance.now();
    let peakMib = 0;
    const running = promisify(execFile)(process.execPath, [...args, CLI, '--json', ...command], {
      env: { ...this.#env, ...env },
    });
    const watch = setInterval(() => (peakMib = readMib(running.child.pid, 'VmHWM') || peakMib), 50);
    const { stdout } = await running.finally(() => clearInterval(watch));
    return { stdout, seconds: (performance.now() - started) / 1_000, peakMib };
  }

  async close(): Promise<void> {
    await Promise.all(this.#servers.map((server) => server.stop()));
    await this.database.dropDatabase();
    await this.#client.close();
  }

  async #operate(...args: string[]): Promise<Record<string, string>> {
    return JSON.parse((await this.command(...args)).stdout) as Record<string, string>;
  }

  async #start(start: Start): Promise<Server> {
    const server = await Server.start(start);
    this.#servers.push(server);
    return server;
  }
}

/** From the status of a process; NaN when it has ended. */
function readMib(pid: number | undefined, field: 'VmRSS' | 'VmHWM'): number {
  try {
    const status = readFileSync(`/proc/${pid}/status`, 'utf8');
    return Number(new RegExp(`^${field}:\\s+(\\d+) kB$`, 'm').exec(status)?.[1]) / 1_024;
  } catch {
    return Number.NaN;
  }
}
