import { execFile } from 'node:child_process';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);
const ROOT = join(__dirname, '../..');
const PACKAGE = join(ROOT, 'clients/typescript');
/** The strictest compiler options, without the types of Node: the package needs only what browsers have. */
const STRICT = {
  compilerOptions: {
    target: 'es2022',
    lib: ['es2022', 'dom', 'dom.iterable'],
    types: [],
    module: 'nodenext',
    strict: true,
    exactOptionalPropertyTypes: true,
    noUncheckedIndexedAccess: true,
    skipLibCheck: false,
  },
  files: ['program.ts'],
};

/** The TypeScript blocks of the package’s README, in order, as one program. */
export async function readmeProgram(): Promise<string> {
  const readme = await readFile(join(PACKAGE, 'README.md'), 'utf8');
  return [...readme.matchAll(/^```ts\n([^]*?)^```$/gm)].map(([, code]) => code).join('\n');
}

/**
 * Packs the client as `npm pack` does, installs it into an empty folder without a network, and returns its file
 * names.
 */
export async function installClient(folder: string): Promise<string[]> {
  // `npm test` passes on that no scripts run; packing the client needs its build script.
  const options = ['--json', '--silent', '--ignore-scripts=false', '--pack-destination', folder];
  const { stdout } = await run('npm', ['pack', ...options], { cwd: PACKAGE });
  const [packed] = JSON.parse(stdout.slice(stdout.indexOf('['))) as { filename: string; files: { path: string }[] }[];
  const modules = join(folder, 'node_modules/@outreach/client');
  await mkdir(modules, { recursive: true });
  await run('tar', ['-xzf', join(folder, packed!.filename), '-C', modules, '--strip-components=1']);
  await writeFile(join(folder, 'package.json'), JSON.stringify({ type: 'module' }));
  return packed!.files.map(({ path }) => path);
}

/** Compiles a program in the folder, runs it and returns its output. */
export async function runProgram(folder: string, program: string): Promise<string> {
  await writeFile(join(folder, 'program.ts'), program);
  await writeFile(join(folder, 'tsconfig.json'), JSON.stringify(STRICT));
  await run('tsc', ['-p', folder]).catch((error: { stdout: string }) => {
    throw new Error(error.stdout);
  });
  return (await run(process.execPath, [join(folder, 'program.js')])).stdout;
}
