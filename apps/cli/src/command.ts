import { type Abstract, type INestApplicationContext, type Type } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { Command, InvalidArgumentError } from 'commander';
import { CliModule } from './cli.module';
import { DatabaseCliModule } from './database-cli.module';

/** Reaches the platform's services. */
export type Services = <T>(service: Type<T> | Abstract<T>) => T;

/**
 * Runs `work` on the platform's own services, then prints its result: as JSON, or as `name: value` lines.
 * @param always the result is a document for programs
 */
export function onPlatform(
  command: Command,
  work: (service: Services) => Promise<unknown>,
  always?: 'json',
): Promise<void> {
  return on(CliModule, command, work, always);
}

/** As `onPlatform`, with nothing but the database: for what is done to a database on which the platform cannot start. */
export function onDatabase(command: Command, work: (service: Services) => Promise<unknown>): Promise<void> {
  return on(DatabaseCliModule, command, work);
}

/** The operator wanted a command to end before it was done. */
class StoppedError extends Error {
  override readonly name = 'StoppedError';
}

/** Aborted when the operator, or whatever runs the command, wants it to end: it stops where that does no harm. */
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

async function on(
  module: Type,
  command: Command,
  work: (service: Services) => Promise<unknown>,
  always?: 'json',
): Promise<void> {
  // Without its own log, which would tell of a failure at the start what we tell in our words.
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
  process.stdout.write(json ? `${JSON.stringify(result)}\n` : `${lines(result).join('\n')}\n`);
}

/** A whole number argument in plain digits. */
export function wholeNumber(text: string): number {
  if (!/^\d{1,12}$/.test(text)) throw new InvalidArgumentError('It must be a whole number.');
  return Number(text);
}

/** A comma-separated list argument. */
export function commaList(text: string): string[] {
  return text.split(',').map((entry) => entry.trim());
}

function get<T>(app: INestApplicationContext, service: Type<T> | Abstract<T>): T {
  return app.get(service, { strict: false });
}

function lines(result: unknown): string[] {
  if (Array.isArray(result))
    return result.length === 0 ? ['(none)'] : result.flatMap((entry) => [...lines(entry), '']).slice(0, -1);
  if (typeof result !== 'object' || result === null) return [String(result)];
  return Object.entries(result).map(
    ([name, value]) => `${name}: ${typeof value === 'string' ? value : JSON.stringify(value)}`,
  );
}
