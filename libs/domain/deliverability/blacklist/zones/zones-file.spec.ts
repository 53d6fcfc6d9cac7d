import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { defaultZones } from './default-zones';
import { STANDARD_TEST_POINTS, getZoneKey } from './zone';
import { ZoneCatalogue } from './zone-catalogue';
import { isCode, parseCode } from './zone-code';
import { toZones } from './zones-file';
import { ZonesFileError } from './zones-file.errors';

const read = (file: unknown) => toZones(JSON.stringify(file), defaultZones.value);

function problemsOf(file: unknown): readonly string[] {
  try {
    read(file);
    return [];
  } catch (error) {
    if (error instanceof ZonesFileError) return error.problems;
    throw error;
  }
}

describe('the default zones', () => {
  it('are unique, of every kind, and valid as a file', () => {
    const keys = defaultZones.value.map(getZoneKey);
    expect(new Set(keys).size).toBe(keys.length);
    expect(new Set(defaultZones.value.map(({ kind }) => kind))).toEqual(new Set(['ipv4', 'ipv6', 'domain']));
    expect(toZones(JSON.stringify({ base: 'none', zones: defaultZones.value }), [])).toEqual(defaultZones.value);
  });
});

describe('a file of zones', () => {
  it('changes nothing when it is empty', () => {
    expect(read({})).toEqual(defaultZones.value);
  });

  it('changes only the fields that an entry sets on an existing zone', () => {
    const suffix = 'key.zen.dq.spamhaus.net';
    const zones = read({ zones: [{ zone: 'zen.spamhaus.org', kind: 'ipv4', suffix, access: 'open' }] });
    expect(zones).toEqual(
      defaultZones.value.map((zone) =>
        getZoneKey(zone) === 'zen.spamhaus.org/ipv4' ? { ...zone, suffix, access: 'open' } : zone,
      ),
    );
  });

  it('removes zones and adds others', () => {
    const zones = read({ remove: ['db.wpbl.info/ipv4'], zones: [{ zone: 'bl.acme.example', kind: 'ipv6' }] });
    expect(zones.map(getZoneKey)).not.toContain('db.wpbl.info/ipv4');
    expect(zones.at(-1)).toEqual({
      zone: 'bl.acme.example',
      kind: 'ipv6',
      name: 'bl.acme.example',
      suffix: 'bl.acme.example',
      weight: 50,
      removalUrl: null,
      access: 'open',
      codes: [],
      testPoints: STANDARD_TEST_POINTS.ipv6,
    });
  });

  it('can replace all default zones', () => {
    const zones = [{ zone: 'bl.acme.example', kind: 'domain', weight: 0, codes: [{ answer: '&4', means: 'policy' }] }];
    expect(read({ base: 'none', zones })).toMatchObject([
      { weight: 0, codes: [{ answer: '&4', means: 'policy', label: '&4' }] },
    ]);
  });

  const named = { zone: 'bl.acme.example', kind: 'ipv4' };
  it.each<[string, unknown, RegExp]>([
    ['a list', [], /must be a JSON object/],
    ['an unknown field', { zone: [] }, /The file: there is no field zone/],
    ['another base', { base: 'all' }, /^base must be/],
    ['zones that are no list', { zones: {} }, /^zones must be a list/],
    ['an entry that is no object', { zones: ['bl.example'] }, /^zones\[0\] must be an object/],
    ['an entry without a kind', { zones: [{ zone: 'bl.example' }] }, /^zones\[0\]: kind must be one of/],
    ['a zone that is no name', { zones: [{ zone: 'http://x', kind: 'ipv4' }] }, /^zones\[0\]: zone must be a name/],
    [
      'a weight beyond 100',
      { zones: [{ ...named, weight: 101 }] },
      /^zones\[0\] \(bl\.acme\.example\/ipv4\): weight must be/,
    ],
    ['a weight that is text', { zones: [{ ...named, weight: '5' }] }, /weight must be an integer/],
    ['an address that is no link', { zones: [{ ...named, removalUrl: 'javascript:x' }] }, /removalUrl must be/],
    ['an unknown access', { zones: [{ ...named, access: 'all' }] }, /access must be one of/],
    ['an unknown field of a zone', { zones: [{ ...named, wieght: 1 }] }, /there is no field wieght/],
    [
      'codes that are none',
      { zones: [{ ...named, codes: [{ answer: '127.0.0', means: 'abuse' }] }] },
      /codes\[0\]\.answer must be/,
    ],
    [
      'a code that means nothing',
      { zones: [{ ...named, codes: [{ answer: '&8', means: 'bad' }] }] },
      /codes\[0\]\.means must be/,
    ],
    ['half of the test points', { zones: [{ ...named, testPoints: { listed: 'test' } }] }, /testPoints must be/],
    ['a zone twice', { zones: [named, named] }, /^zones\[1\]: bl\.acme\.example\/ipv4 is given twice/],
    ['the removal of what is not there', { remove: ['bl.nowhere.example/ipv4'] }, /^remove: there is no "bl\.nowhere/],
    ['nothing left', { base: 'none' }, /no zone left/],
  ])('is refused for %s', (_what, file, problem) => {
    expect(problemsOf(file)).toEqual([expect.stringMatching(problem)]);
  });

  it('is refused with all its problems at once, and without the keys in it', () => {
    const zones = [{ ...named, suffix: 'CANARY key', weight: -1 }, { kind: 'ipv4' }];
    const problems = problemsOf({ zones });
    expect(problems).toHaveLength(3);
    expect(problems.join()).not.toContain('CANARY');
  });

  it('is refused with the position of the JSON error, and without the key at that position', () => {
    const text = '{"zones": [\n{"suffix": CANARYKEY.zen.dq.spamhaus.net}]}';
    expect(() => toZones(text, [])).toThrow(/it is no JSON$/m);
    expect(() => toZones(text, [])).not.toThrow(/CANARY/);
    expect(() => toZones('{"base": "none" "zones": []}', [])).toThrow(
      /it is no JSON: at position 16 \(line 1 column 17\)$/m,
    );
  });

  it('is read at startup; a missing file or invalid JSON is refused with the name of the variable', () => {
    const folder = mkdtempSync(join(tmpdir(), 'zones-'));
    try {
      const path = join(folder, 'zones.json');
      writeFileSync(path, JSON.stringify({ base: 'none', zones: [named] }));
      expect(ZoneCatalogue.load(path).listByKind('ipv4')).toHaveLength(1);
      expect(ZoneCatalogue.load(path).listByKind('ipv6')).toEqual([]);
      writeFileSync(path, '{');
      expect(() => ZoneCatalogue.load(path)).toThrow(/BLACKLIST_ZONES_FILE is not valid:\n {2}- it is no JSON/);
      expect(() => ZoneCatalogue.load(join(folder, 'none.json'))).toThrow(/BLACKLIST_ZONES_FILE.*cannot be read/s);
      expect(ZoneCatalogue.load('').zones).toBe(defaultZones.value);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});

describe('a code', () => {
  it.each([
    ['127.0.0.2', '127.0.0.2', true],
    ['127.0.0.2', '127.0.0.3', false],
    ['127.0.0.4-127.0.0.7', '127.0.0.4', true],
    ['127.0.0.4-127.0.0.7', '127.0.0.7', true],
    ['127.0.0.4-127.0.0.7', '127.0.0.8', false],
    ['&8', '127.0.0.8', true],
    ['&8', '127.0.0.127', true],
    ['&8', '127.0.0.7', false],
    ['&8', '127.0.1.8', false],
    ['&8', 'x', false],
  ])('%s names %s: %s', (answer, address, expected) => {
    expect(isCode({ answer }, address)).toBe(expected);
  });

  it.each([
    '',
    '127.0.0',
    '127.0.0.256',
    '127.0.0.9-127.0.0.2',
    '&3',
    '&256',
    '127.0.0.1-',
    'a-b',
    '127.0.0.1-127.0.0.2-127.0.0.3',
  ])('is not %j', (answer) => {
    expect(parseCode(answer)).toBeNull();
  });
});
