import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Command } from './arguments.mts';
import { runProgram } from './programs.mts';

const PACKAGE = 'clients/typescript';

/** Compiles the TypeScript client for its package; `npm pack` there calls it. */
export async function client(_command: Command, signal: AbortSignal): Promise<number> {
  await rm(join(PACKAGE, 'dist'), { recursive: true, force: true });
  const { code, output } = await runProgram('tsc', ['-p', PACKAGE], { signal });
  signal.throwIfAborted();
  if (code !== 0) console.error(output.trim());
  return code;
}
