import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import type { Command } from './arguments.mts';
import { tryBuild } from './build.mts';
import { readJson } from './files.mts';
import { runFile, type RunInfo } from './start.mts';

const MCP = 'dist/apps/mcp/src/main.js';

/**
 * Runs the MCP server, built first if needed. Standard output belongs to the protocol, so use `npm run --silent mcp`;
 * messages go to standard error. By default it uses the platform of this folder.
 */
export async function mcp(command: Command, signal: AbortSignal): Promise<number> {
  const errors = existsSync(MCP) ? undefined : await tryBuild(signal);
  if (errors) throw new Error(`${errors}\nthe build failed`);
  const running = await readJson<RunInfo>(runFile());
  const child = spawn(process.execPath, ['--enable-source-maps', MCP, ...command.rest], {
    env: { ...(running && { OUTREACH_URL: running.apiUrl }), ...process.env },
    stdio: 'inherit',
  });
  signal.addEventListener('abort', () => child.kill('SIGTERM'), { once: true });
  return new Promise((done, failed) => {
    child.once('error', failed);
    child.once('exit', (code) => done(code ?? 1));
  });
}
