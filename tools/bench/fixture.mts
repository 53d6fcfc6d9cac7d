import { randomBytes } from 'node:crypto';
import mongoose from 'mongoose';
import { freePort } from '../local-services/ports.mts';
import { writeAuditEntries } from './audit-entries.mts';
import { asInTheImage } from './image.mts';
import { measureOperatorCommand, runOperatorCommand } from './operator-command.mts';
import { Server } from './processes.mts';

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

/** A separate database and queue prefix on the given services, deleted at the end. */
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
      // The limiter counts every request in Redis, as in production, and rejects none.
      RATE_LIMIT_REQUESTS: '1000000',
      DEFAULT_MAX_MAILBOXES: '10000',
      // No server answers there: an invented domain stays unknown, and its campaigns start.
      DNS_SERVERS: '127.0.0.1:9',
    };
  }

  get mongodbUri(): string {
    return this.#mongodbUri;
  }

  /** The signing keys of the servers. */
  get secretKeys(): string {
    return this.#env['SECRET_KEYS'] ?? '';
  }

  get database(): mongoose.mongo.Db {
    return this.#client.db();
  }

  /** Starts the API with production settings: each request is logged, limited and measured. */
  async api(script: string, nodeArgs: string[] = [], env: Environment = {}): Promise<Server> {
    const own = (port: string) => ({ ...this.#env, ...env, API_PORT: port });
    return this.#start({ script, nodeArgs, env: own, readyPath: '/health/ready' });
  }

  /** Starts the worker with production settings and all queues. */
  async worker(nodeArgs: string[], env: Environment): Promise<Server> {
    const own = (port: string) => ({ ...this.#env, ...env, WORKER_PORT: port });
    return this.#start({ script: 'dist/apps/worker/src/main.js', nodeArgs, env: own, readyPath: '/health/ready' });
  }

  /** Starts a program of the bench without the platform's settings; it listens on PORT. */
  async program(script: string, nodeArgs: string[], env: Environment): Promise<Server> {
    const own = (port: string) => ({ PATH: this.#env['PATH'] ?? '', ...env, PORT: port });
    return this.#start({ script, nodeArgs, env: own, readyPath: '/' });
  }

  async bareDriver(): Promise<Server> {
    return this.program('tools/bench/bare.mts', [], { MONGODB_URI: this.#mongodbUri });
  }

  /** Starts a server with the same libraries and nothing else. */
  async bareStart(nodeArgs: string[]): Promise<Server> {
    const { MONGODB_URI = '', REDIS_URL = '' } = this.#env;
    return this.program('tools/bench/bare-start.mts', nodeArgs, { MONGODB_URI, REDIS_URL });
  }

  /** Creates a workspace by operator commands, with this number of audit entries and some credits. */
  async workspace(name: string, auditEntries: number): Promise<Workspace> {
    const run = (...args: string[]) => runOperatorCommand(this.#env, args);
    const user = await run('users', 'create', '--email', `${name}@example.com`, '--name', name);
    const workspace = await run('workspaces', 'create', '--owner', user['id'] ?? '', '--name', name);
    const workspaceId = workspace['id'] ?? '';
    const { key = '' } = await run('keys', 'create', '--workspace', workspaceId);
    await run('credits', 'grant', workspaceId, '1000');
    await writeAuditEntries(this.database, workspaceId, auditEntries);
    return { workspaceId, key };
  }

  /** Runs an operator command as in the image; returns its output, time and peak memory. @throws when it fails */
  async command(...args: string[]): Promise<{ stdout: string; seconds: number; peakMib: number }> {
    return measureOperatorCommand(this.#env, args);
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
}

/** Replaces the database name of the address, because the database is dropped at the end. */
function withDatabase(uri: string, name: string): string {
  const match = /^(mongodb(?:\+srv)?:\/\/[^/?]+)(?:\/[^?]*)?(\?.*)?$/.exec(uri);
  if (!match) throw new Error('MONGODB_URI must be a mongodb:// address');
  return `${match[1]}/${name}${match[2] ?? ''}`;
}
