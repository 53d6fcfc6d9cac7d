import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import type { Command } from './arguments.mts';
import { build } from './build.mts';
import { CLI } from './demo.mts';
import { ensureSecrets } from './environment.mts';
import { readJson } from './files.mts';
import { runFile, type RunInfo } from './start.mts';

/** Runs an operator command against the platform of this folder, or against the database in the environment. */
export async function cli(command: Command, signal: AbortSignal): Promise<number> {
  if (!existsSync(CLI)) await build(signal);
  const running = await readJson<RunInfo>(runFile());
  const env = running ? await createEnvironment(running) : {};
  const child = spawn(process.execPath, ['--enable-source-maps', CLI, ...command.rest], {
    env: { ...process.env, ...env },
    stdio: 'inherit',
  });
  signal.addEventListener('abort', () => child.kill('SIGTERM'), { once: true });
  return new Promise((done, failed) => {
    child.once('error', failed);
    child.once('exit', (code) => done(code ?? 1));
  });
}

async function createEnvironment(running: RunInfo): Promise<Record<string, string>> {
  const secrets = await ensureSecrets();
  const addresses = { MONGODB_URI: running.mongoUrl, REDIS_URL: running.redisUrl, PUBLIC_URL: running.apiUrl };
  return { NODE_ENV: 'development', ...secrets, ...addresses };
}
