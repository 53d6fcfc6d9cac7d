import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { listAssets, loadAsset } from './asset-loader';
import { AssetError } from './asset.errors';
import { AssetSet, loadAllAssets } from './asset-set';

let root: string;
let schema: string;

function write(path: string, text: string): string {
  const file = join(root, path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
  return file;
}

const reads: (string | null)[] = [];
const words = new AssetSet('words/short', (folder) => {
  reads.push(folder);
  const files = folder === null ? [] : listAssets(folder);
  return files.flatMap((file) => loadAsset<string[]>({ folder: folder ?? '', file, schema }));
});

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'operator-'));
  schema = write('.words.schema.json', '{ "type": "array", "items": { "type": "string" } }');
  reads.length = 0;
});
afterEach(() => {
  loadAllAssets('');
  rmSync(root, { recursive: true });
});

describe('asset sets', () => {
  it('read their value once, at start, from the folder of the operator', () => {
    write('words/short/en.yaml', '[a, b]');
    loadAllAssets(root);
    expect([words.value, words.value]).toEqual([
      ['a', 'b'],
      ['a', 'b'],
    ]);
    expect(reads).toEqual([join(root, 'words/short')]);
  });

  it('read their value at first use without a start', () => {
    const lazy = new AssetSet('lazy', (folder) => ({ folder }));
    expect(lazy.value).toEqual({ folder: null });
    expect(lazy.value).toBe(lazy.value);
  });

  it('reject an invalid file before the process starts', () => {
    const file = write('words/short/en.yaml', '[a, 1]');
    expect(() => loadAllAssets(root)).toThrow(`${file}:1: /1: must be string`);
  });

  it('reject a file that no set reads', () => {
    const file = write('words/shrt/en.yaml', '[a]');
    expect(() => loadAllAssets(root)).toThrow(`${file}: nothing reads a file of this name`);
  });

  it('reject a missing folder', () => {
    expect(() => loadAllAssets(join(root, 'none'))).toThrow(AssetError);
  });
});
