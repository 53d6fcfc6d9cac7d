import { spawn } from 'node:child_process';

export interface ProgramResult {
  code: number;
  output: string;
  seconds: number;
}

interface ProgramOptions {
  env?: NodeJS.ProcessEnv;
  /** The program writes to the terminal directly. */
  visible?: boolean;
  signal: AbortSignal;
}

/** Runs a program of node_modules/.bin or the PATH; an abort terminates it, and kills it after 5 s. */
export function runProgram(command: string, args: string[], options: ProgramOptions): Promise<ProgramResult> {
  const started = Date.now();
  return new Promise((done) => {
    const child = spawn(command, args, {
      env: { ...process.env, ...options.env },
      stdio: ['ignore', options.visible ? 'inherit' : 'pipe', options.visible ? 'inherit' : 'pipe'],
    });
    let output = '';
    for (const stream of [child.stdout, child.stderr])
      stream?.on('data', (chunk: Buffer) => (output += chunk.toString()));
    let timer: NodeJS.Timeout | undefined;
    const abort = (): void => {
      child.kill('SIGTERM');
      timer = setTimeout(() => child.kill('SIGKILL'), 5_000);
    };
    if (options.signal.aborted) abort();
    options.signal.addEventListener('abort', abort, { once: true });
    const end = (code: number): void => {
      clearTimeout(timer);
      options.signal.removeEventListener('abort', abort);
      done({ code, output, seconds: (Date.now() - started) / 1000 });
    };
    child.once('error', (error) => {
      output += error.message;
      end(127);
    });
    child.once('close', (code) => end(code ?? 1));
  });
}
