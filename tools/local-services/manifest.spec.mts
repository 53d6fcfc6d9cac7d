import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { describeRoot, ESSENTIAL, findFlaw, parseUris, recipe, sha256Of } from './manifest.mts';

const SHA = 'a'.repeat(64);

describe('manifest of the Debian root', () => {
  let root: string;
  beforeEach(async () => {
    root = await mkdtemp(join(tmpdir(), 'root-'));
    for (const file of ESSENTIAL) {
      await mkdir(dirname(join(root, file)), { recursive: true });
      await writeFile(join(root, file), 'content');
    }
  });
  afterEach(() => rm(root, { recursive: true }));
  const seal = async (change: object = {}): Promise<void> => {
    await writeFile(join(root, 'manifest.json'), JSON.stringify({ ...(await describeRoot(root, [])), ...change }));
  };

  it('lists the packages that apt would download, with versions and SHA-256', () => {
    const output = `'http://mirror.test/pool/r/redis_8%253a1.0-2_amd64.deb' redis-server_5%3a8.0-2_amd64.deb 1234 SHA256:${SHA}
      'http://mirror.test/InRelease' InRelease 99 SHA256:${SHA}
      some other line`;
    expect(parseUris(output)).toEqual([
      expect.objectContaining({ name: 'redis-server', version: '5:8.0-2', size: 1234, sha256: SHA }),
    ]);
  });

  it('reports no problem for a complete root', async () => {
    await seal();
    expect(await findFlaw(root)).toBeUndefined();
  });

  it.each<[string, () => Promise<void>, RegExp]>([
    ['an interrupted build', async () => {}, /no manifest/],
    ['another recipe', () => seal({ recipe: 'forky-old' }), /built as forky-old/],
    ['a missing file', () => seal().then(() => rm(join(root, 'usr/bin/bwrap'))), /bwrap is missing or has changed/],
    [
      'a file with another size',
      () => seal().then(() => writeFile(join(root, 'etc/passwd'), '')),
      /passwd is missing or has changed/,
    ],
    ['a broken manifest', () => writeFile(join(root, 'manifest.json'), '{'), /cannot be read/],
    ['a manifest without files', () => seal({ files: undefined }), /missing or has changed/],
  ])('reports %s', async (_what, damage, flaw) => {
    await damage();
    expect(await findFlaw(root)).toMatch(flaw);
  });

  it('names a root by its request', () => {
    expect(recipe()).toMatch(/^forky-[0-9a-f]{12}$/);
  });

  it('computes the SHA-256 of a file', async () => {
    expect(await sha256Of(join(root, 'etc/passwd'))).toBe(
      'ed7002b439e9ac845f22357d822bac1444730fbdb6016d3ec9432297b9ec9f73',
    );
  });
});
