import { CLI } from './demo.mts';
import { runProgram } from './programs.mts';

/** Migrates the data of an earlier start to this release. */
export async function migrate(env: Record<string, string>, signal: AbortSignal): Promise<void> {
  const { code, output } = await runProgram(process.execPath, [CLI, 'migrate', 'up'], { env, signal });
  signal.throwIfAborted();
  if (code !== 0) throw new Error(`${output.trim()}\nthe database could not be migrated (exit code ${code})`);
}
