import { mkdtemp, rename, rm, writeFile } from 'node:fs/promises';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort, portIsFree } from '../local-services/ports.mts';
import { pauseBefore, worthShowing } from './apps.mts';
import { chosenSteps } from './check.mts';
import { parseDemo } from './demo.mts';
import { getVerdict } from './jest.mts';
import { choosePort } from './start.mts';
import { matters, snapshot } from './watch.mts';

describe('ports', () => {
  it('are in use while a server listens on any interface, and free afterwards', async () => {
    const server = createServer();
    await new Promise<void>((done) => server.listen(0, done));
    const { port } = server.address() as AddressInfo;
    expect(await portIsFree(port)).toBe(false);
    await expect(choosePort(port)).rejects.toThrow(`port ${port} is in use`);
    await new Promise((done) => server.close(done));
    expect(await choosePort(port)).toBe(port);
  });

  it('are outside the range from which the kernel assigns ports to other processes', async () => {
    const ports = await Promise.all(Array.from({ length: 10 }, freePort));
    expect(Math.min(...ports)).toBeGreaterThan(1_023);
    expect(Math.max(...ports)).toBeLessThan(32_768);
  });
});

describe('verdict of a test run', () => {
  const report = {
    numPassedTests: 5,
    numFailedTests: 0,
    numTotalTests: 5,
    numRuntimeErrorTestSuites: 0,
    success: true,
  };
  it.each([
    ['all tests pass', 0, report, { passed: 5, failed: 0, total: 5 }],
    [
      'a test fails',
      1,
      { ...report, numPassedTests: 4, numFailedTests: 1, success: false },
      { passed: 4, failed: 1, total: 5 },
    ],
    [
      'a suite does not compile',
      1,
      { ...report, numRuntimeErrorTestSuites: 1, success: false },
      { passed: 5, failed: 1, total: 5 },
    ],
    ['Jest fails for another reason', 1, report, { passed: 5, failed: 1, total: 5 }],
    ['Jest writes no report', 1, undefined, { passed: 0, failed: 1, total: 1 }],
    ['no test runs', 0, { ...report, numPassedTests: 0, numTotalTests: 0 }, { passed: 0, failed: 0, total: 0 }],
  ])('when %s', (_what, code, given, verdict) => {
    expect(getVerdict(code, given)).toEqual(verdict);
  });
});

describe('helper functions', () => {
  it('delay the restarts of a crashing process more and more, at most 30 s', () => {
    expect([1, 2, 3, 4, 5, 6, 50].map(pauseBefore)).toEqual([1, 2, 4, 8, 16, 30, 30]);
  });

  it.each([
    ['{"level":30,"msg":"fine"}', false],
    ['{"level":"info","msg":"fine"}', false],
    ['{"level":40,"msg":"careful"}', true],
    ['{"level":"error","msg":"bad"}', true],
    ['    at stack (file.js:1)', true],
    ['', false],
  ])('show %s on the terminal: %s', (line, shown) => {
    expect(worthShowing(line)).toBe(shown);
  });

  it.each([
    ['api/src/main.ts', true],
    ['domain/users/users.service.spec.ts', false],
    ['api/src/.main.ts.swp', false],
    ['api/tsconfig.build.json', true],
    ['domain/warmup/assets/texts/en/frame.yaml', true],
    ['README.md', false],
  ])('rebuild for %s: %s', (file, rebuilds) => {
    expect(matters(file)).toBe(rebuilds);
  });

  it('detect a file that was written, replaced or removed', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'watch-'));
    const seen = new Set([snapshot([folder])]);
    await writeFile(join(folder, 'a.ts'), '1');
    seen.add(snapshot([folder]));
    await writeFile(join(folder, 'b.tmp'), '12');
    await rename(join(folder, 'b.tmp'), join(folder, 'a.ts'));
    seen.add(snapshot([folder]));
    await rm(folder, { recursive: true });
    expect(seen.size).toBe(3);
  });

  it('find the demo among log lines', () => {
    const demo = { workspaceId: 'w', workspaceKey: 'sk_1', userKey: 'sk_user_1' };
    expect(parseDemo(`{"level":30}\n${JSON.stringify(demo)}\n{"level":30,"msg":"done"}\n`)).toEqual(demo);
    expect(parseDemo('nothing\n{"workspaceId":"w"}')).toBeUndefined();
  });

  it('run one named step or all of them, and reject an unknown one', () => {
    expect(chosenSteps('lint').map(({ name }) => name)).toEqual(['lint']);
    expect(chosenSteps(undefined).map(({ name }) => name)).toEqual(['lint', 'format', 'imports', 'unused', 'names']);
    expect(() => chosenSteps('nonsense')).toThrow('there is no step "nonsense"');
  });
});
