import fc from 'fast-check';
import { parseTagList, trimBlanks } from './tag-list';

const read = (text: string): Record<string, string> | string => {
  const list = parseTagList(text);
  return list.ok ? Object.fromEntries(list.tags) : list.fault;
};

describe('a tag-list (RFC 6376, section 3.2)', () => {
  it.each<[string, Record<string, string>]>([
    ['v=DKIM1; p=abc', { v: 'DKIM1', p: 'abc' }],
    ['a=1', { a: '1' }],
    ['a=1;', { a: '1' }],
    ['a=1; ', { a: '1' }],
    [' a = 1 ;\tb\t=\t2 ', { a: '1', b: '2' }],
    ['p=', { p: '' }],
    ['p= ;a=1', { p: '', a: '1' }],
    ['p=ab cd', { p: 'ab cd' }],
    ['p=ab\r\n cd', { p: 'ab\r\n cd' }],
    ['p=a=b==', { p: 'a=b==' }],
    ['n_1=x', { n_1: 'x' }],
    ['p=1; P=2', { p: '1', P: '2' }],
  ])('%j is parsed', (text, tags) => {
    expect(read(text)).toEqual(tags);
  });

  it.each<[string, string]>([
    ['', 'nothing'],
    [';', 'nothing'],
    ['a=1;;b=2', 'nothing'],
    ['; a=1', 'nothing'],
    ['a=1; b', '"b" has no "="'],
    ['=1', 'no name'],
    ['1a=1', 'no name'],
    ['a-b=1', 'no name'],
    ['_a=1', 'no name'],
    ['a b=1', 'no name'],
    ['a=1; a=2', '"a" is there twice'],
    ['a=1; b=\0', 'not allowed: "\\x00"'],
    ['a=\xe4', 'not allowed: "\\xe4"'],
    ['a=1\r\nb=2', 'not allowed'],
    ['a\xa0=1', 'no name'],
  ])('%j is refused as a whole', (text, fault) => {
    expect(read(text)).toEqual(expect.stringContaining(fault));
  });

  it('never throws, and parses a written list into the same tags', () => {
    const name = fc.stringMatching(/^[a-zA-Z]\w{0,8}$/);
    const value = fc.stringMatching(/^[!-:<-~]{0,20}$/);
    fc.assert(
      fc.property(fc.dictionary(name, value, { minKeys: 1, noNullPrototype: true }), (tags) => {
        const text = Object.entries(tags).map(([tag, its]) => ` ${tag} = ${its} `);
        expect(read(text.join(';'))).toEqual(tags);
      }),
    );
    fc.assert(fc.property(fc.string({ unit: 'binary', maxLength: 200 }), (text) => void read(text)));
  });
});

describe('blanks around a value', () => {
  it('are removed in one pass, for any number of inner blanks', () => {
    const inside = `a${' '.repeat(100_000)}b`;
    expect(trimBlanks(` \t\r\n${inside}\t `)).toBe(inside);
  });

  it('are blanks and line ends, not bytes beyond ASCII', () => {
    expect(trimBlanks('\xa0x\v')).toBe('\xa0x\v');
  });
});
