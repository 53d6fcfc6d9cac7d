import { local, readJson, writePrivateJson } from './files.mts';
import { runProgram } from './programs.mts';

export interface Demo {
  workspaceId: string;
  workspaceKey: string;
  userKey: string;
}

const file = (): string => local('demo.json');

/** The demo workspace of an earlier start when its key still opens it, else a new one. */
export async function ensureDemo(apiUrl: string, env: Record<string, string>, signal: AbortSignal): Promise<Demo> {
  const kept = await readJson<Demo>(file());
  if (kept && (await opens(apiUrl, kept))) return kept;
  const { code, output } = await runProgram(process.execPath, [CLI, 'demo', '--json'], { env, signal });
  signal.throwIfAborted();
  const made = code === 0 ? parseDemo(output) : undefined;
  if (!made) throw new Error(`${output.trim()}\nthe demo workspace could not be created (exit code ${code})`);
  await writePrivateJson(file(), made);
  return made;
}

export const CLI = 'dist/apps/cli/src/main.js';

/** The last line that is the demo's JSON; log lines may stand before and after it. */
export function parseDemo(output: string): Demo | undefined {
  for (const line of output.trim().split('\n').toReversed()) {
    try {
      const { workspaceId, workspaceKey, userKey } = JSON.parse(line) as Partial<Demo>;
      if (workspaceId && workspaceKey && userKey) return { workspaceId, workspaceKey, userKey };
    } catch {
      // not the line
    }
  }
  return undefined;
}

async function opens(apiUrl: string, demo: Demo): Promise<boolean> {
  try {
    const answer = await fetch(`${apiUrl}/v1/workspaces/${demo.workspaceId}`, {
      headers: { 'X-Api-Key': demo.workspaceKey },
      signal: AbortSignal.timeout(10_000),
    });
    await answer.body?.cancel();
    return answer.ok;
  } catch {
    return false;
  }
}
