import { type Abstract, type INestApplicationContext, type Type } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { Command, InvalidArgumentError } from 'commander';
import { CliModule } from './cli.module';
import { DatabaseCliModule } from './database-cli.module';

/** Provides the services of the platform. */
export type Services = <T>(service: Type<T> | Abstract<T>) => T;

/**
 * Runs `work` with the platform's services, then prints its result: as JSON, or as `name: value` lines.
 * @param always the result is a document for programs
 */
export function onPlatform(
  command: Command,
  work: (service: Services) => Promise<unknown>,
  always?: 'json',
): Promise<void> {
  return runOn(CliModule, command, work, always);
}

/** As `onPlatform`, with the database only: for databases on which the platform cannot start. */
export function onDatabase(command: Command, work: (service: Services) => Promise<unknown>): Promise<void> {
  return runOn(DatabaseCliModule, command, work);
}

/** The operator stopped a command before its end. */
class StoppedError extends Error {
  override readonly name = 'StoppedError';
}

/** Aborts when the operator or the calling program stops the command; it ends at the next safe point. */
export async function untilStopped<T>(work: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const stopping = new AbortController();
  const stop = () => stopping.abort(new StoppedError('Stopped before the end; run the command again to continue'));
  process.once('SIGINT', stop).once('SIGTERM', stop);
  try {
    return await work(stopping.signal);
  } finally {
    process.off('SIGINT', stop).off('SIGTERM', stop);
  }
}

async function runOn(
  module: Type,
  command: Command,
  work: (service: Services) => Promise<unknown>,
  always?: 'json',
): Promise<void> {
  // Without its own log: the command prints a failure at the start itself.
  const app = await NestFactory.createApplicationContext(module, { logger: false, abortOnError: false });
  try {
    print(
      await work((service) => get(app, service)),
      always === 'json' || (command.optsWithGlobals<{ json?: boolean }>().json ?? false),
    );
  } finally {
    await app.close();
  }
}

export function print(result: unknown, json: boolean): void {
  process.stdout.write(json ? `${JSON.stringify(result)}\n` : `${toLines(result).join('\n')}\n`);
}

/** A whole-number argument in decimal digits. */
export function parseWholeNumber(text: string): number {
  if (!/^\d{1,12}$/.test(text)) throw new InvalidArgumentError('It must be a whole number.');
  return Number(text);
}

/** A comma-separated list argument. */
export function parseCommaList(text: string): string[] {
  return text.split(',').map((entry) => entry.trim());
}

function get<T>(app: INestApplicationContext, service: Type<T> | Abstract<T>): T {
  return app.get(service, { strict: false });
}

function toLines(result: unknown): string[] {
  if (Array.isArray(result))
    return result.length === 0 ? ['(none)'] : result.flatMap((entry) => [...toLines(entry), '']).slice(0, -1);
  if (typeof result !== 'object' || result === null) return [String(result)];
  return Object.entries(result).map(
    ([name, value]) => `${name}: ${typeof value === 'string' ? value : JSON.stringify(value)}`,
  );
}
