import { execFile, spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { asInTheImage } from './image.mts';

const CLI = join(import.meta.dirname, '..', '..', 'dist/apps/cli/src/main.js');
const runFile = promisify(execFile);

type Environment = Readonly<Record<string, string>>;

/** Runs an operator command and returns its JSON result. @throws when it fails */
export async function runOperatorCommand(env: Environment, args: readonly string[]): Promise<Record<string, string>> {
  const { stdout } = await runFile(process.execPath, [CLI, '--json', ...args], { env });
  return JSON.parse(stdout) as Record<string, string>;
}

/** Runs an operator command as in the image; returns its output, time and peak memory. @throws when it fails */
export async function measureOperatorCommand(
  env: Environment,
  args: readonly string[],
): Promise<{ stdout: string; seconds: number; peakMib: number }> {
  const image = asInTheImage();
  const begun = performance.now();
  const child = spawn(process.execPath, [...image.args, CLI, '--json', ...args], {
    env: { ...env, ...image.env },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let stdout = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => (stdout += text));
  let peakMib = 0;
  const watch = setInterval(() => (peakMib = readPeak(child.pid) ?? peakMib), 50);
  const code = await new Promise<number | null>((resolve, reject) => child.on('close', resolve).on('error', reject));
  clearInterval(watch);
  if (code !== 0) throw new Error(`${args.join(' ')} ended with ${code}`);
  return { stdout, seconds: (performance.now() - begun) / 1000, peakMib };
}

/** The peak memory of a process in MiB, from the kernel; undefined when it has ended. */
function readPeak(pid: number | undefined): number | undefined {
  try {
    const kib = /^VmHWM:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
    return kib === undefined ? undefined : Number(kib) / 1024;
  } catch {
    return undefined;
  }
}
