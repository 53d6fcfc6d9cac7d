import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Block } from './markdown';

/** A page waits for mail and workers; a longer wait never ends. */
const PAGE_LIMIT_MS = 240_000;

export interface Ran {
  readonly block: Block;
  /** Standard output. */
  readonly output: string;
  /** Null if the page succeeded. */
  readonly failure: string | null;
}

export interface ShellOptions {
  /** Working directory of the commands. */
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  /** Folder for the scripts and outputs of this page; created here. */
  readonly scratch: string;
}

/**
 * Runs the blocks of a page in sequence in one shell, as its reader does. The first failing command ends the run. A
 * response of 4xx or 5xx fails too (`fail-with-body` of curl), unless the block is marked `refused`. Background
 * processes end with the page.
 */
export async function runPage(blocks: readonly Block[], { cwd, env, scratch }: ShellOptions): Promise<Ran[]> {
  mkdirSync(scratch, { recursive: true });
  const file = (index: number, kind: string): string => join(scratch, `${index}.${kind}`);
  writeFileSync(join(scratch, '.curlrc'), 'fail-with-body\n');
  const parts = blocks.map(({ marks, text }, index) =>
    [
      `exec >'${file(index, 'out')}' 2>'${file(index, 'err')}'`,
      marks.has('refused') ? 'set +eo pipefail' : 'set -eo pipefail',
      text,
    ].join('\n'),
  );
  writeFileSync(join(scratch, 'page.sh'), `${parts.join('\n')}\nexec >/dev/null 2>&1\n`);
  const ended = await ends(join(scratch, 'page.sh'), cwd, { ...env, CURL_HOME: scratch });
  return blocks.flatMap((block, index) => {
    const output = read(file(index, 'out'));
    if (output === null) return [];
    const isLast = index === blocks.length - 1 || read(file(index + 1, 'out')) === null;
    const failure = isLast && ended !== 0 ? `${ended}\n${output}\n${read(file(index, 'err')) ?? ''}` : null;
    return [{ block, output, failure }];
  });
}

/** Whether the machine has the program; blocks whose program is missing are skipped and reported. */
export function hasProgram(name: string): boolean {
  return spawnSync('sh', ['-c', `command -v ${name}`]).status === 0;
}

async function ends(script: string, cwd: string, env: Readonly<Record<string, string>>): Promise<number | string> {
  // A process group of its own, which ends with every process that the page has started.
  const child = spawn('bash', [script], { cwd, env, stdio: 'ignore', detached: true });
  const { pid } = child;
  const endGroup = (): void => {
    try {
      if (pid !== undefined) process.kill(-pid, 'SIGKILL');
    } catch {
      // the group has no process
    }
  };
  const limit = setTimeout(endGroup, PAGE_LIMIT_MS);
  try {
    const [code, signal] = (await once(child, 'exit')) as [number | null, string | null];
    return code ?? `${signal} after ${PAGE_LIMIT_MS / 1000} s`;
  } finally {
    clearTimeout(limit);
    endGroup();
  }
}

function read(path: string): string | null {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return null;
  }
}
