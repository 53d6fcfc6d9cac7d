import { totalmem } from 'node:os';
import { join } from 'node:path';
import { UsageError, type Command } from './arguments.mts';
import { build } from './build.mts';
import { deepSpecs, ONLY_DEEP } from './deep.mts';
import { jestVerdict, runJest, testEnvironment, type Verdict } from './jest.mts';
import { runProgram } from './programs.mts';
import { sandboxForTests } from './mail-sandbox.mts';
import { withFreshServices, type RunningServices } from './with-services.mts';

interface Step {
  name: string;
  command: string;
  args: string[];
  env?: NodeJS.ProcessEnv;
}

/**
 * Settings for programs written in Go, such as the type-aware linter: half of its processor time was garbage collection. Without
 * collection it takes 6 GB.
 */
const NO_GARBAGE = totalmem() > 12e9 ? { GOGC: 'off', GOMEMLIMIT: '8GiB' } : {};

/** Checks that do not run the platform, in this order. */
const STEPS: Step[] = [
  // Includes type checks.
  { name: 'lint', command: 'oxlint', args: ['--deny-warnings'], env: NO_GARBAGE },
  { name: 'format', command: 'oxfmt', args: ['--check'] },
  { name: 'imports', command: 'depcruise', args: ['apps', 'libs', 'test', 'tools', 'clients'] },
  { name: 'unused', command: 'knip', args: [] },
  // Kinds of files, class names, refused words, services with one method.
  { name: 'names', command: process.execPath, args: ['tools/structure/main.mts'] },
];

/** Simulated prospects answer immediately: tests do not wait for human delays. */
const PROMPT_PROSPECTS = { sandbox: { prospects: { delayMs: 0 } } };

/** The step of `--only`, otherwise all steps. */
export function chosenSteps(only: string | undefined): Step[] {
  if (only === undefined) return STEPS;
  const chosen = STEPS.filter(({ name }) => name === only);
  if (chosen.length === 0) {
    throw new UsageError(`there is no step "${only}": ${STEPS.map(({ name }) => name).join(', ')}`);
  }
  return chosen;
}

/** All checks that run nothing: continuous integration begins with them. */
export async function check(command: Command, signal: AbortSignal): Promise<number> {
  const steps = chosenSteps(command.only);
  const failed = await runSteps(steps, signal);
  console.log(`${steps.length - failed} of ${steps.length} checks passed`);
  return failed === 0 ? 0 : 1;
}

/** The tests in their short form, for a fast result. */
export async function test(command: Command, signal: AbortSignal): Promise<number> {
  const quick = ONLY_DEEP.flatMap((pattern) => ['--testPathIgnorePatterns', pattern]);
  return answered(await runTests(command.rest.length > 0 ? command.rest : quick, signal));
}

/** The tests that `npm test` skips to save time, or runs with fewer rounds. */
export async function deep(command: Command, signal: AbortSignal): Promise<number> {
  const chosen = command.rest.length > 0 ? command.rest : ['--runTestsByPath', ...(await deepSpecs(process.cwd()))];
  return answered(await runTests(chosen, signal, { TEST_DEPTH: 'deep' }));
}

/** The fault suites in their long form: `FAULTS_SEED` repeats a run, `FAULTS_ROUNDS` sets the number of rounds. */
export async function faults(command: Command, signal: AbortSignal): Promise<number> {
  const chosen = command.rest.length > 0 ? command.rest : ['--testPathPatterns', 'test/faults/'];
  const depth = { FAULTS: 'long', TEST_DEPTH: 'deep' };
  return answered(await runTests(['--verbose', '--runInBand', ...chosen], signal, depth));
}

/** The last line is the total, so that a script can read it. */
function answered({ passed, failed, total }: Verdict): number {
  if (total === 0) console.error('no test ran');
  console.log(`${passed} passed, ${failed} failed`);
  return failed === 0 && total > 0 ? 0 : 1;
}

async function runTests(args: string[], signal: AbortSignal, more: Record<string, string> = {}): Promise<Verdict> {
  try {
    const work = async (services: RunningServices, folder: string, stop: AbortSignal): Promise<Verdict> => {
      await build(stop);
      const report = join(folder, 'jest.json');
      // Test databases are reused (test/harness): all of them are deleted with these services.
      const kept = { TEST_DATABASES: 'kept' };
      const env = { ...testEnvironment(services), ...sandboxForTests(services.sandbox), ...kept, ...more };
      const result = await runJest(report, args, env, stop);
      stop.throwIfAborted();
      return jestVerdict(result, report);
    };
    return await withFreshServices('test', signal, work, PROMPT_PROSPECTS);
  } catch (error) {
    if (signal.aborted) throw error;
    // The verdict must be the last line, even when the tests could not start.
    console.error((error as Error).message);
    return { passed: 0, failed: 1, total: 1 };
  }
}

/** Runs two checks at a time (they are single-threaded) and returns the number of failures. */
async function runSteps(steps: Step[], signal: AbortSignal): Promise<number> {
  const queue = [...steps];
  let failed = 0;
  const work = async (): Promise<void> => {
    for (let step = queue.shift(); step && !signal.aborted; step = queue.shift()) {
      const { code, output, seconds } = await runProgram(step.command, step.args, { env: step.env, signal });
      if (signal.aborted) return;
      if (code !== 0) failed++;
      console.log(`${code === 0 ? 'ok    ' : 'FAILED'} ${step.name} (${seconds.toFixed(1)} s)`);
      if (code !== 0) console.error(`$ ${step.command} ${step.args.join(' ')}\n${output.trim()}\n`);
    }
  };
  await Promise.all([work(), work()]);
  signal.throwIfAborted();
  return failed;
}
