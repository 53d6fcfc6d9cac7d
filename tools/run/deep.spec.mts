import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { deepSpecs, ONLY_DEEP } from './deep.mts';

const FILES = {
  'test/faults/kill.e2e.spec.ts': 'it kills',
  'test/faults/seeded.ts': "import { DEEP } from '@testing';",
  'libs/a/all.deep.spec.ts': 'all of them',
  'libs/a/property.spec.ts': "import fc from 'fast-check';",
  'libs/a/rounds.spec.ts': "import {\n  openTestDatabase,\n  rounds,\n} from '@testing';",
  'tools/a/combinations.spec.mts': "import { DEEP } from '@testing';",
  'libs/a/plain.spec.ts': "import { eventually } from '@testing';\nconst rounds = 3;",
  'libs/node_modules/a/property.spec.ts': "import fc from 'fast-check';",
};

describe('the tests that npm test skips or shortens', () => {
  let root: string;

  beforeAll(async () => {
    root = await mkdtemp(join(tmpdir(), 'deep-'));
    for (const [path, text] of Object.entries(FILES)) {
      await mkdir(join(root, dirname(path)), { recursive: true });
      await writeFile(join(root, path), text);
    }
  });
  afterAll(() => rm(root, { recursive: true }));

  it('are found by folder, name and imports', async () => {
    expect(await deepSpecs(root)).toEqual([
      'libs/a/all.deep.spec.ts',
      'libs/a/property.spec.ts',
      'libs/a/rounds.spec.ts',
      'test/faults/kill.e2e.spec.ts',
      'tools/a/combinations.spec.mts',
    ]);
  });

  it.each([
    ['/somewhere/test/faults/kill.e2e.spec.ts', true],
    ['/somewhere/libs/a/all.deep.spec.ts', true],
    ['/somewhere/libs/a/reply.faults.db.spec.ts', false],
    ['/somewhere/libs/a/reply.faults.deep.db.spec.ts', true],
  ])('%s is excluded from npm test: %s', (path, isLeftOut) => {
    expect(ONLY_DEEP.some((pattern) => new RegExp(pattern).test(path))).toBe(isLeftOut);
  });
});
