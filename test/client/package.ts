import { execFile } from 'node:child_process';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);
const ROOT = join(__dirname, '../..');
const PACKAGE = join(ROOT, 'clients/typescript');
/** As strict as anybody's, and without the types of Node: the package must do with what browsers have. */
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

/** The TypeScript of the package's README, in its order: one program. */
export async function readmeProgram(): Promise<string> {
  const readme = await readFile(join(PACKAGE, 'README.md'), 'utf8');
  return [...readme.matchAll(/^```ts\n([^]*?)^```$/gm)].map(([, code]) => code).join('\n');
}

/** Packs the client as `npm pack` does, and installs it into an empty folder without a network. Answers the names of its files. */
export async function installClient(folder: string): Promise<string[]> {
  // `npm test` hands on that no scripts run; the package's own builds it.
  const options = ['--json', '--silent', '--ignore-scripts=false', '--pack-destination', folder];
  const { stdout } = await run('npm', ['pack', ...options], { cwd: PACKAGE });
  const [packed] = JSON.parse(stdout.slice(stdout.indexOf('['))) as { filename: string; files: { path: string }[] }[];
  const modules = join(folder, 'node_modules/@outreach/client');
  await mkdir(modules, { recursive: true });
  await run('tar', ['-xzf', join(folder, packed!.filename), '-C', modules, '--strip-components=1']);
  await writeFile(join(folder, 'package.json'), JSON.stringify({ type: 'module' }));
  return packed!.files.map(({ path }) => path);
}

/** Compiles a program in the folder and runs it. Answers what it writes. */
export async function runProgram(folder: string, program: string): Promise<string> {
  await writeFile(join(folder, 'program.ts'), program);
  await writeFile(join(folder, 'tsconfig.json'), JSON.stringify(STRICT));
  await run('tsc', ['-p', folder]).catch((error: { stdout: string }) => {
    throw new Error(error.stdout);
  });
  return (await run(process.execPath, [join(folder, 'program.js')])).stdout;
}
