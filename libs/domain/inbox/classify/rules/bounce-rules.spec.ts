import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { listAssets, loadAsset } from '@platform/config';
import { bounceRules } from './bounce-rules';

const ASSETS = join(__dirname, '..', '..', 'assets');

it('reads every file of bounce rules', () => {
  expect(listAssets(join(ASSETS, 'bounce-rules'))).toEqual(
    ['code', 'format', 'local', 'provider', 'recipient', 'sender', 'transient'].map((name) => `${name}.yaml`),
  );
  const { code, format, ...texts } = bounceRules.value;
  for (const rules of [code.codes, code.replies, format.formats, ...Object.values(texts)]) {
    expect(rules.length).toBeGreaterThan(0);
  }
});

it('gives each rule a unique name', () => {
  const { code, format, ...texts } = bounceRules.value;
  const names = [...code.codes, ...code.replies, ...Object.values(texts).flat()].map(({ name }) => name);
  expect(names.filter((name, at) => names.indexOf(name) !== at)).toEqual([]);
  expect(new Set(format.formats.map(({ name }) => name)).size).toBe(format.formats.length);
});

it('keeps the flags of a pattern, and uses none by default', () => {
  const flags = bounceRules.value.format.formats.map(({ name, pattern }) => `${name}/${pattern.flags}`);
  expect(flags.filter((flag) => !flag.endsWith('/'))).toEqual(['imail/m']);
});

describe('the schemas of the inbox', () => {
  let folder: string;

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'rules-'));
    cpSync(ASSETS, folder, { recursive: true });
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  it.each([
    [
      'bounce-rules',
      'transient',
      'rules',
      'verdict: soft',
      'verdict: maybe',
      /transient\.yaml:\d+: \/rules\/0\/verdict: /,
    ],
    ['bounce-rules', 'code', 'code', 'fault: content', 'fault: by-code', /code\.yaml:\d+: \/codes\/\d+\/fault: /],
    ['bounce-rules', 'format', 'format', 'flags: m', 'flags: g', /format\.yaml:\d+: \/formats\/\d+\/flags: /],
    ['auto-reply', 'subjects', 'subjects', 'kind: receipt', 'kind: letter', /subjects\.yaml:\d+: \/kinds\/5\/kind: /],
    [
      'auto-reply',
      'headers',
      'headers',
      'isAnswer: false',
      'isReply: false',
      /headers\.yaml:\d+: \/rules\/\d+\/all\/0: /,
    ],
    ['auto-reply', 'ja', 'language', 'months: []', 'months: [one]', /ja\.yaml:\d+: \/dates\/months: /],
  ])('reject %s/%s.yaml when it violates %s.schema.json', (group, name, schema, from, to, message) => {
    const file = join(folder, group, `${name}.yaml`);
    const text = readFileSync(file, 'utf8');
    const load = () =>
      loadAsset({ folder: join(folder, group), file: `${name}.yaml`, schema: `${schema}.schema.json` });
    expect(load).not.toThrow();
    writeFileSync(file, text.replace(from, to));
    expect(load).toThrow(message);
  });
});
