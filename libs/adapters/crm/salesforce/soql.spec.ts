import fc from 'fast-check';
import { toInstantLiteral, isFieldName, getEncodedLength, toInCondition, packConditions, toTextLiteral } from './soql';

describe('a query in SOQL', () => {
  it.each([
    ['jane@acme.com', "'jane@acme.com'"],
    ["o'hara@acme.com", "'o\\'hara@acme.com'"],
    ["x') OR (Id != '", "'x\\') OR (Id != \\''"],
    ['ends with \\', "'ends with \\\\'"],
    ["\\' OR Name != \\'", "'\\\\\\' OR Name != \\\\\\''"],
    ['two\r\nlines\t', "'two\\r\\nlines\\t'"],
    ['"quoted"', '\'\\"quoted\\"\''],
    ['\u0000\u001b\u007f\u0085', "''"],
    ['žluť 🙂', "'žluť 🙂'"],
  ])('quotes %j as %j', (text, literal) => {
    expect(toTextLiteral(text)).toBe(literal);
  });

  it('keeps any text inside its quotes, and the text stays readable', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        const literal = toTextLiteral(text);
        // A quote that ends the literal follows an even number of backslashes: only the last one may.
        expect(literal).toMatch(/^'(?:[^'\\]|\\['"\\nrtbf])*'$/u);
        const meant = text.replace(/\p{Cc}/gu, (character) => ('\n\r\t\b\f'.includes(character) ? character : ''));
        expect(unescaped(literal.slice(1, -1))).toBe(meant);
      }),
    );
  });

  it('rounds an instant down to the second, so that no change is missed', () => {
    expect(toInstantLiteral(new Date('2026-11-22T05:00:00.999Z'))).toBe('2026-11-22T05:00:00Z');
  });

  it.each([
    ['LastName', true],
    ['Score__c', true],
    ['acme__Score__c', true],
    ['Account.Name', true],
    ['Account.Owner.Name', false],
    ['Id FROM User', false],
    ['Name,Id', false],
    ['', false],
    ['1st', false],
    ['Name)', false],
    ['COUNT()', false],
    [`a${'b'.repeat(160)}`, false],
  ])('decides whether %j can be a field', (name, is) => {
    expect(isFieldName(name)).toBe(is);
  });

  it.each([
    ['text', ['a', "b'"], "F IN ('a','b\\'')"],
    ['choices', ['a', 'b'], "F INCLUDES ('a','b')"],
    ['number', ['1', '-2.5'], 'F IN (1,-2.5)'],
    ['number', ['1 OR Id != null'], null],
    ['boolean', ['true'], 'F IN (true)'],
    ['boolean', ['TRUE OR 1'], null],
    ['day', ['2026-11-22'], 'F IN (2026-11-22)'],
    ['day', ['TODAY'], null],
    ['instant', ['2026-11-22T05:00:00.500Z'], 'F IN (2026-11-22T05:00:00Z)'],
    ['instant', ['yesterday'], null],
    ['text', ['a'.repeat(4_001)], null],
  ] as const)('writes values of a %s field: %j', (kind, values, condition) => {
    expect(toInCondition('F', kind, values)).toBe(condition);
  });

  it('groups all values in order within the maximum length', () => {
    fc.assert(
      fc.property(fc.array(fc.emailAddress()), fc.integer({ min: 300, max: 2_000 }), (values, longest) => {
        const groups = packConditions(values, longest);
        expect(groups.flat()).toEqual(values);
        for (const group of groups) {
          const size = getEncodedLength(group.map((value) => `${toTextLiteral(value)},`).join(''));
          expect(group.length === 1 || size <= longest).toBe(true);
        }
      }),
    );
  });
});

const MEANT: Readonly<Record<string, string>> = { n: '\n', r: '\r', t: '\t', b: '\b', f: '\f' };

function unescaped(text: string): string {
  return text.replace(/\\(.)/gs, (_all, character: string) => MEANT[character] ?? character);
}
