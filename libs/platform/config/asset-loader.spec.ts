import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { compilePattern, type Fragments, listAssetFolders, listAssets, loadAsset } from './asset-loader';
import { AssetError, AssetValueError } from './asset.errors';

interface Rules {
  readonly rules: readonly { readonly name: string; readonly pattern: string }[];
  readonly fragments?: Fragments;
}

const SCHEMA = {
  type: 'object',
  required: ['rules'],
  additionalProperties: false,
  properties: {
    fragments: { type: 'object', additionalProperties: { type: 'string' } },
    rules: {
      type: 'array',
      items: {
        type: 'object',
        required: ['name', 'pattern'],
        additionalProperties: false,
        properties: {
          name: { enum: ['first', 'second'] },
          pattern: { type: 'string', pattern: '^\\^', description: 'A pattern begins with ^.' },
        },
      },
    },
  },
};

const GOOD = ['fragments:', '  day: mon|tue', 'rules:', '  - name: first', '    pattern: ^on ({{day}})$', ''].join(
  '\n',
);

let folder: string;
const write = (text: string, name = 'rules.yaml') => writeFileSync(join(folder, name), text);
const source = () => ({ folder, file: 'rules.yaml', schema: 'rules.schema.json' });
const load = () => loadAsset<Rules>(source());
const compiled = () =>
  loadAsset({
    ...source(),
    compile: ({ rules, fragments }: Rules) => rules.map(({ pattern }) => compilePattern(pattern, 'iu', fragments)),
  });

function refusalOf(call: () => unknown): AssetError {
  try {
    call();
  } catch (error) {
    if (error instanceof AssetError) return error;
    throw error;
  }
  throw new Error('The file was accepted');
}

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'assets-'));
  write(JSON.stringify(SCHEMA), 'rules.schema.json');
});
afterEach(() => rmSync(folder, { recursive: true }));

describe('loadAsset', () => {
  it('returns the content, deeply frozen', () => {
    write(GOOD);
    const { rules } = load();
    expect(rules).toEqual([{ name: 'first', pattern: '^on ({{day}})$' }]);
    expect([rules, rules[0]].every(Object.isFrozen)).toBe(true);
  });

  it('returns the converted content, with working regular expressions', () => {
    write(GOOD);
    const patterns = compiled();
    expect(patterns).toEqual([/^on (mon|tue)$/iu]);
    expect(Object.isFrozen(patterns)).toBe(true);
    expect('ON TUE'.replace(patterns[0] ?? '', 'x')).toBe('x');
  });

  it('accepts a schema by its absolute path, for files in another folder', () => {
    const other = mkdtempSync(join(folder, 'other-'));
    writeFileSync(join(other, 'rules.yaml'), GOOD);
    const rules = loadAsset<Rules>({
      folder: other,
      file: 'rules.yaml',
      schema: join(folder, 'rules.schema.json'),
    });
    expect(rules.fragments).toEqual({ day: 'mon|tue' });
  });

  it('names file, line, path and reason for content that does not match the schema', () => {
    write(GOOD.replace('first', 'third'));
    const { file, path, reason, message } = refusalOf(load);
    expect({ file, path }).toEqual({ file: join(folder, 'rules.yaml'), path: '/rules/0/name' });
    expect(reason).toBe('must be equal to one of the allowed values: first, second');
    expect(message).toContain('rules.yaml:4: /rules/0/name: must');
  });

  it.each([
    ['an unknown key', `${GOOD}more: 1\n`, 'must NOT have additional properties: more'],
    ['a duplicate key', `${GOOD}rules: []\n`, 'Map keys must be unique'],
    [
      'a text that does not match its pattern',
      GOOD.replace('^on', 'on'),
      'does not have the form: A pattern begins with \\^\\.',
    ],
    ['an alias', 'rules: &a []\nfragments: *a\n', 'aliases are not allowed'],
    ['a tag', 'rules: !custom []\n', 'Unresolved tag'],
    ['two documents', `${GOOD}---\n${GOOD}`, 'multiple documents'],
    ['invalid YAML', 'rules: [', 'Flow sequence'],
    ['an empty file', '', 'must be object'],
    ['a value of another type', 'rules: yes\n', 'must be array'],
    ['a file above the size limit', `#${'x'.repeat(1_000_000)}\n${GOOD}`, 'more than 1000000'],
  ])('rejects %s', (_, text, reason) => {
    write(text);
    expect(refusalOf(load).message).toMatch(new RegExp(`rules\\.yaml(:\\d+)?: .*${reason}`));
  });

  it('rejects a missing file and a folder', () => {
    expect(refusalOf(load).reason).toContain('no such file');
    mkdirSync(join(folder, 'rules.yaml'));
    expect(refusalOf(load).reason).toBe('is not a file');
  });

  it('names the path of an invalid pattern and of an unknown fragment', () => {
    write(GOOD.replace('({{day}})', '({{day}}'));
    expect(refusalOf(compiled)).toMatchObject({
      path: '/rules/0/pattern',
      reason: expect.stringContaining('Unterminated'),
    });
    write(GOOD.replace('{{day}}', '{{toString}}'));
    expect(refusalOf(compiled)).toMatchObject({
      path: '/rules/0/pattern',
      reason: 'there is no fragment "toString"',
    });
  });

  it('names the path of a rejection by the caller and passes on other errors', () => {
    write(GOOD);
    const compile = (error: Error) => () =>
      loadAsset({
        ...source(),
        compile: () => {
          throw error;
        },
      });
    const refusal = refusalOf(compile(new AssetValueError('comes twice', { path: '/rules/0' })));
    expect(refusal).toMatchObject({ path: '/rules/0', reason: 'comes twice' });
    expect(refusal.message).toContain('rules.yaml:4: /rules/0: comes twice');
    expect(compile(new TypeError('a defect'))).toThrow(TypeError);
  });
});

describe('compilePattern', () => {
  it('replaces fragments once and keeps other braces', () => {
    const fragments = { day: 'mon', other: '{{day}}' };
    expect(compilePattern('\\d{2} {{day}} {{other}}', 'g', fragments)).toEqual(/\d{2} mon {{day}}/g);
  });
});

describe('listAssets and listAssetFolders', () => {
  it('name files and folders in order, without schemas, hidden ones and other files', () => {
    for (const name of ['b.yaml', 'a.json', 'c.yml', '.hidden.yaml', 'README.md', 'a.schema.yaml']) write('', name);
    for (const name of ['it', 'de', '..data']) mkdirSync(join(folder, name));
    expect(listAssets(folder)).toEqual(['a.json', 'b.yaml', 'c.yml']);
    expect(listAssetFolders(folder)).toEqual(['de', 'it']);
  });

  it('find nothing in a folder that does not exist', () => {
    expect([listAssets(join(folder, 'none')), listAssetFolders(join(folder, 'none'))]).toEqual([[], []]);
  });
});
