import { execFile, spawn } from 'node:child_process';
import { randomBytes, randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import mongoose from 'mongoose';
import { freePort } from '../local-services/ports.mts';
import { asInTheImage } from './image.mts';
import { Server } from './processes.mts';

const root = join(import.meta.dirname, '..', '..');
const runFile = promisify(execFile);
const BATCH = 1_000;

export interface Workspace {
  workspaceId: string;
  key: string;
}

type Environment = Readonly<Record<string, string>>;

interface Start {
  script: string;
  nodeArgs: string[];
  env: (port: string) => Environment;
  readyPath: string;
}

/** A database and a queue prefix of its own on the given services, gone at the end. */
export class Fixture {
  readonly #env: Record<string, string>;
  readonly #mongodbUri: string;
  readonly #client: mongoose.mongo.MongoClient;
  readonly #servers: Server[] = [];

  constructor(mongodbUri: string, redisUrl: string) {
    const name = `bench_${randomBytes(6).toString('hex')}`;
    this.#mongodbUri = withDatabase(mongodbUri, name);
    this.#client = new mongoose.mongo.MongoClient(this.#mongodbUri);
    this.#env = {
      PATH: process.env['PATH'] ?? '',
      NODE_ENV: 'production',
      MONGODB_URI: this.#mongodbUri,
      REDIS_URL: redisUrl,
      QUEUE_PREFIX: name,
      SECRET_KEYS: `k1:${randomBytes(32).toString('base64')}`,
      API_HOST: '127.0.0.1',
      OPS_HOST: '127.0.0.1',
      API_METRICS_PORT: '0',
      // The limiter counts every request in Redis, as always, and refuses none.
      RATE_LIMIT_REQUESTS: '1000000',
      DEFAULT_MAX_MAILBOXES: '10000',
      // No server answers there: a made-up domain stays unknown, and its campaigns start.
      DNS_SERVERS: '127.0.0.1:9',
    };
  }

  get mongodbUri(): string {
    return this.#mongodbUri;
  }

  /** What the servers sign with. */
  get secretKeys(): string {
    return this.#env['SECRET_KEYS'] ?? '';
  }

  get database(): mongoose.mongo.Db {
    return this.#client.db();
  }

  /** The API with the settings of production: each request is logged, limited and measured. */
  async api(script: string, nodeArgs: string[] = [], env: Environment = {}): Promise<Server> {
    const own = (port: string) => ({ ...this.#env, ...env, API_PORT: port });
    return this.#start({ script, nodeArgs, env: own, readyPath: '/health/ready' });
  }

  /** The worker with the settings of production and all queues. */
  async worker(nodeArgs: string[], env: Environment): Promise<Server> {
    const own = (port: string) => ({ ...this.#env, ...env, WORKER_PORT: port });
    return this.#start({ script: 'dist/apps/worker/src/main.js', nodeArgs, env: own, readyPath: '/health/ready' });
  }

  /** A program of the bench that knows none of the platform's settings; it listens on PORT. */
  async program(script: string, nodeArgs: string[], env: Environment): Promise<Server> {
    const own = (port: string) => ({ PATH: this.#env['PATH'] ?? '', ...env, PORT: port });
    return this.#start({ script, nodeArgs, env: own, readyPath: '/' });
  }

  async bareDriver(): Promise<Server> {
    return this.program('tools/bench/bare.mts', [], { MONGODB_URI: this.#mongodbUri });
  }

  /** A server of the same libraries and nothing else. */
  async bareStart(nodeArgs: string[]): Promise<Server> {
    const { MONGODB_URI = '', REDIS_URL = '' } = this.#env;
    return this.program('tools/bench/bare-start.mts', nodeArgs, { MONGODB_URI, REDIS_URL });
  }

  /** A workspace made by the operator's commands, with so many audit entries and some credits. */
  async workspace(name: string, auditEntries: number): Promise<Workspace> {
    const user = await this.#cli('users', 'create', '--email', `${name}@example.com`, '--name', name);
    const workspace = await this.#cli('workspaces', 'create', '--owner', user['id'] ?? '', '--name', name);
    const workspaceId = workspace['id'] ?? '';
    const { key = '' } = await this.#cli('keys', 'create', '--workspace', workspaceId);
    await this.#cli('credits', 'grant', workspaceId, '1000');
    await this.#writeAudit(workspaceId, auditEntries);
    return { workspaceId, key };
  }

  /** An operator's command, as it is run in the image, and the most memory that it ever had. @throws when it fails */
  async command(...args: string[]): Promise<{ stdout: string; seconds: number; peakMib: number }> {
    const image = asInTheImage();
    const begun = performance.now();
    const script = join(root, 'dist/apps/cli/src/main.js');
    const child = spawn(process.execPath, [...image.args, script, '--json', ...args], {
      env: { ...this.#env, ...image.env },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    let stdout = '';
    child.stdout.setEncoding('utf8').on('data', (text: string) => (stdout += text));
    let peakMib = 0;
    const watch = setInterval(() => (peakMib = readPeak(child.pid) ?? peakMib), 50);
    const code = await new Promise<number | null>((resolve, reject) => child.on('close', resolve).on('error', reject));
    clearInterval(watch);
    if (code !== 0) throw new Error(`${args.join(' ')} ended with ${code}`);
    return { stdout, seconds: (performance.now() - begun) / 1000, peakMib };
  }

  async close(): Promise<void> {
    await Promise.all(this.#servers.map((server) => server.stop()));
    await this.#client.db().dropDatabase();
    await this.#client.close();
  }

  async #start({ script, nodeArgs, env, readyPath }: Start): Promise<Server> {
    const port = await freePort();
    const image = asInTheImage();
    const options = { name: script, script, nodeArgs: [...image.args, ...nodeArgs], port, readyPath };
    const server = await Server.start({ ...options, env: { ...image.env, ...env(String(port)) } });
    this.#servers.push(server);
    return server;
  }

  async #cli(...args: string[]): Promise<Record<string, string>> {
    const { stdout } = await runFile(process.execPath, [join(root, 'dist/apps/cli/src/main.js'), '--json', ...args], {
      env: this.#env,
    });
    return JSON.parse(stdout) as Record<string, string>;
  }

  /** Exactly so many entries, a second apart, of the size that a change of a member's role leaves. */
  async #writeAudit(workspace: string, count: number): Promise<void> {
    const workspaceId = new mongoose.mongo.ObjectId(workspace);
    const collection = this.#client.db().collection('audit_entries');
    await collection.deleteMany({ workspaceId });
    const newest = Date.now();
    const entry = (age: number) => ({
      workspaceId,
      actor: { kind: 'user', userId: randomBytes(12).toString('hex'), keyId: randomBytes(12).toString('hex') },
      action: 'member.role_changed',
      target: { type: 'member', id: randomBytes(12).toString('hex') },
      changes: { role: { from: 'member', to: 'admin' } },
      requestId: randomUUID(),
      createdAt: new Date(newest - age * 1000),
    });
    for (let first = 0; first < count; first += BATCH) {
      const size = Math.min(BATCH, count - first);
      await collection.insertMany(Array.from({ length: size }, (_, index) => entry(first + index)));
    }
  }
}

/** The most memory that a process ever had, which the kernel remembers; undefined when it has ended. */
function readPeak(pid: number | undefined): number | undefined {
  try {
    const kib = /^VmHWM:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
    return kib === undefined ? undefined : Number(kib) / 1024;
  } catch {
    return undefined;
  }
}

/** Always another database than the one that the address may name: this one is dropped at the end. */
function withDatabase(uri: string, name: string): string {
  const match = /^(mongodb(?:\+srv)?:\/\/[^/?]+)(?:\/[^?]*)?(\?.*)?$/.exec(uri);
  if (!match) throw new Error('MONGODB_URI must be a mongodb:// address');
  return `${match[1]}/${name}${match[2] ?? ''}`;
}
