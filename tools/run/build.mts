import { runProgram } from './programs.mts';

/** Builds all projects; it takes about two seconds, so no file is skipped. Returns the error output, if any. */
export async function tryBuild(signal: AbortSignal): Promise<string | undefined> {
  const { code, output } = await runProgram('nest', ['build', '--all'], { signal });
  signal.throwIfAborted();
  return code === 0 ? undefined : output.trim();
}

export async function build(signal: AbortSignal): Promise<void> {
  const started = Date.now();
  const errors = await tryBuild(signal);
  if (errors) throw new Error(`${errors}\nthe build failed`);
  console.log(`built in ${((Date.now() - started) / 1000).toFixed(1)} s`);
}
