import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { FaultProxy } from '@testing';

const MAIN = join(__dirname, '../../tools/local-services/main.mts');

interface Addresses {
  mongoUrl: string;
  redisUrl: string;
  source: { mongo: string; redis: string };
}

/** A Redis, and optionally a MongoDB, for one test only: it may empty, kill and restart them. */
export class OwnServices {
  readonly #proxies = { mongo: [] as FaultProxy[], redis: [] as FaultProxy[] };
  #child!: ChildProcess;
  #now!: Addresses;

  private constructor(
    private readonly folder: string,
    private readonly withMongo: boolean,
  ) {}

  static async start({ mongo }: { mongo: boolean }): Promise<OwnServices> {
    const services = new OwnServices(await mkdtemp(join(tmpdir(), 'own-services-')), mongo);
    await services.#launch();
    return services;
  }

  /** The address of a service across restarts, and the proxy in front of it. */
  async behind(which: 'mongo' | 'redis'): Promise<{ url: string; proxy: FaultProxy }> {
    const proxy = new FaultProxy(this.#now[`${which}Url`]);
    this.#proxies[which].push(proxy);
    return { url: await proxy.start(), proxy };
  }

  /** Kills both at any point of their work and restarts them on their stored data. */
  async restart(): Promise<void> {
    const { mongo, redis } = this.#proxies;
    // A container would outlive the process that started it.
    await this.#end(Object.values(this.#now.source).includes('docker') ? 'SIGTERM' : 'SIGKILL');
    await this.#launch();
    for (const proxy of mongo) proxy.retarget(this.#now.mongoUrl);
    for (const proxy of redis) proxy.retarget(this.#now.redisUrl);
  }

  async stop(): Promise<void> {
    for (const proxy of [...this.#proxies.mongo, ...this.#proxies.redis]) await proxy.cut();
    await this.#end('SIGTERM');
    await rm(this.folder, { recursive: true, force: true, maxRetries: 3 });
  }

  async #launch(): Promise<void> {
    const { REDIS_URL: _shared, MONGODB_URI, NODE_OPTIONS: _options, ...env } = process.env;
    if (!this.withMongo && MONGODB_URI) env['MONGODB_URI'] = MONGODB_URI;
    this.#child = spawn(process.execPath, [MAIN, '--data', this.folder, '--durable'], {
      env,
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const lines = createInterface(this.#child.stdout!);
    const [line] = (await Promise.race([once(lines, 'line'), once(this.#child, 'exit')])) as [unknown];
    if (typeof line !== 'string') throw new Error('The services for this run could not be started');
    this.#now = JSON.parse(line) as Addresses;
  }

  async #end(signal: 'SIGTERM' | 'SIGKILL'): Promise<void> {
    if (this.#child.exitCode !== null || this.#child.signalCode !== null) return;
    const ended = once(this.#child, 'exit');
    this.#child.kill(signal);
    await ended;
  }
}
