import { execFile } from 'node:child_process';
import { chmod, cp, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { promisify } from 'node:util';

const RUN = join(import.meta.dirname, '../run.mjs');

/** A fake npm: with REFUSAL set, it fails with that error code for --prefer-offline. */
const NPM = `#!/bin/sh
echo "$*" >> calls
case "$*" in *--prefer-offline*) if [ -n "$REFUSAL" ]; then echo "npm error code $REFUSAL" >&2; exit 1; fi;; esac
mkdir -p node_modules && cp package-lock.json node_modules/.package-lock.json
`;

describe('the installation by run.mjs', () => {
  let folder: string;

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'door-'));
    await mkdir(join(folder, 'tools/run'), { recursive: true });
    await mkdir(join(folder, 'bin'));
    await cp(RUN, join(folder, 'tools/run.mjs'));
    await writeFile(join(folder, 'tools/run/main.mts'), `console.log('handed over');`);
    await writeFile(join(folder, 'package-lock.json'), JSON.stringify({ packages: { '': {} } }));
    await writeFile(join(folder, 'bin/npm'), NPM);
    await chmod(join(folder, 'bin/npm'), 0o755);
  });
  afterEach(() => rm(folder, { recursive: true }));

  async function opened(refusal: string) {
    const env = { ...process.env, PATH: `${join(folder, 'bin')}${delimiter}${process.env['PATH']}`, REFUSAL: refusal };
    const ran = promisify(execFile)(process.execPath, ['tools/run.mjs', 'check'], { cwd: folder, env });
    const { stdout, stderr } = await ran.catch((error: { stdout: string; stderr: string }) => error);
    const calls = (await readFile(join(folder, 'calls'), 'utf8')).trim().split('\n');
    return { said: stdout + stderr, fromCache: calls.map((call) => call.includes('--prefer-offline')) };
  }

  it('uses the cache of npm without a request', async () => {
    const { said, fromCache } = await opened('');
    expect(fromCache).toEqual([true]);
    expect(said).toContain('handed over');
  });

  it('requests packages when the cache of npm is older than the lock file', async () => {
    const { said, fromCache } = await opened('ETARGET');
    expect(fromCache).toEqual([true, false]);
    expect(said).toContain('handed over');
  });

  it('makes no second attempt after another error, and shows the error', async () => {
    const { said, fromCache } = await opened('ENOTFOUND');
    expect(fromCache).toEqual([true]);
    expect(said).toContain('npm error code ENOTFOUND');
    expect(said).not.toContain('handed over');
  });
});
