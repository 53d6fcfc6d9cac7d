import type { Command } from './arguments.mts';
import { bench } from './bench.mts';
import { check, deep, faults, test } from './check.mts';
import { cli } from './cli.mts';
import { client } from './client.mts';
import { generate } from './generate.mts';
import { mcp } from './mcp.mts';
import { dev, start } from './start.mts';
import { serve } from './serve.mts';

/** Each command runs until it is done or the signal aborts, and returns its exit code. */
export const COMMANDS: Record<Command['name'], (command: Command, signal: AbortSignal) => Promise<number>> = {
  start,
  dev,
  test,
  deep,
  faults,
  check,
  services: serve,
  generate,
  client,
  cli,
  mcp,
  bench,
};
