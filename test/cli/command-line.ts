import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { type INestApplicationContext } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { CollectionIndexService } from '@platform/database';
import { Command, CommanderError } from 'commander';
import { buildProgram } from '../../apps/cli/src/program';
import { report } from '../../apps/cli/src/failure-report';
import { type Platform } from '../harness';
import { createEnvironment } from '../harness/environment';

export interface Ran {
  status: number;
  stdout: string;
  stderr: string;
}

type Environment = Readonly<Record<string, string>>;

/** The command line of a platform’s operator. */
export class CommandLine {
  /** By module, the services that commands have started; undefined if each command starts its own, as in production. */
  #services: Map<unknown, Promise<INestApplicationContext>> | undefined;

  /** @param prefix the first arguments of every command */
  constructor(
    private readonly platform: Pick<Platform, 'config'> & Partial<Pick<Platform, 'app'>>,
    private readonly prefix: readonly string[] = [],
  ) {}

  /** A command line whose commands share the services of the program; `close` ends them. */
  static sharing(platform: Platform, prefix: readonly string[] = []): CommandLine {
    const cli = new CommandLine(platform, prefix);
    cli.#services = new Map();
    return cli;
  }

  /** Ends the shared services. */
  async close(): Promise<void> {
    const started = [...(this.#services?.values() ?? [])];
    this.#services?.clear();
    for (const app of started) await (await app).close();
  }

  /** Runs the built program as the operator does, which takes about two seconds of processor time. */
  built(args: readonly string[], env: Environment = {}): Promise<Ran> {
    return new Promise((resolve) => {
      execFile(
        process.execPath,
        ['dist/apps/cli/src/main.js', ...this.prefix, ...args],
        { cwd: join(__dirname, '../..'), env: { ...createEnvironment(this.platform.config), ...env } },
        (error, stdout, stderr) => resolve({ status: Number(error?.code ?? 0), stdout, stderr }),
      );
    });
  }

  /**
   * Runs the same program in this process, with replaced environment and output, on the database of a running
   * platform. One command at a time.
   */
  async run(args: readonly string[], env: Environment = {}): Promise<Ran> {
    const before = { ...process.env };
    const printed = { stdout: '', stderr: '' };
    const spies = (['stdout', 'stderr'] as const).map((stream) =>
      jest.spyOn(process[stream], 'write').mockImplementation((text) => {
        printed[stream] += String(text);
        return true;
      }),
    );
    // The running platform has created its collections: another check of a hundred collections costs more than most
    // commands.
    const standing = this.platform.app && jest.spyOn(CollectionIndexService.prototype, 'ensure').mockResolvedValue();
    // Other settings need services of their own.
    const shared = this.#services && Object.keys(env).length === 0 && sharing(this.#services);
    Object.assign(process.env, createEnvironment(this.platform.config), env);
    try {
      return { status: await runForStatus([...this.prefix, ...args]), ...printed };
    } finally {
      for (const spy of [...spies, standing, shared || undefined]) spy?.mockRestore();
      for (const name of Object.keys(process.env)) delete process.env[name];
      Object.assign(process.env, before);
    }
  }

  /** The result of a command that must succeed. */
  async json<T>(...args: string[]): Promise<T> {
    const { status, stdout, stderr } = await this.run([...args, '--json']);
    if (status !== 0) throw new Error(stderr);
    return JSON.parse(stdout) as T;
  }
}

/** Until it is restored, commands get the existing services, and what they close stays open for the next one. */
function sharing(services: Map<unknown, Promise<INestApplicationContext>>): jest.SpyInstance {
  const create = NestFactory.createApplicationContext.bind(NestFactory);
  return jest.spyOn(NestFactory, 'createApplicationContext').mockImplementation(async (module, options) => {
    const app = services.get(module) ?? create(module, options);
    services.set(module, app);
    // A failed start is retried.
    await app.catch((error: unknown) => (services.delete(module), Promise.reject(error as Error)));
    return Object.create(await app, { close: { value: () => Promise.resolve() } }) as INestApplicationContext;
  });
}

/** Sets the exit status as `main.ts` does. */
async function runForStatus(args: readonly string[]): Promise<number> {
  try {
    await withoutExit(buildProgram()).parseAsync([...args], { from: 'user' });
    return Number(process.exitCode ?? 0);
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode;
    process.stderr.write(`${report(error)}\n`);
    return 1;
  } finally {
    process.exitCode = undefined;
  }
}

function withoutExit(command: Command): Command {
  for (const part of command.commands) withoutExit(part);
  return command.exitOverride();
}
