import { type CrmFieldType } from '@adapters/crm';
import fc from 'fast-check';
import { type MappingRule } from './field-rule';
import { isSameValue, toCrmValue, toLeadValue } from './field-value';

const OPTIONS = ['New', 'In progress', 'Done'];

function rule(type: CrmFieldType | null, more: Partial<MappingRule> = {}): MappingRule {
  const usual = { direction: 'both', overwrite: 'always', values: null, options: null, maxLength: null } as const;
  return { lead: 'note', crm: 'field', ...usual, type, ...more };
}

describe('a value of a lead', () => {
  it.each<[CrmFieldType | null, string, unknown, Partial<MappingRule>?]>([
    [null, 'as it is', 'as it is'],
    ['text', ' kept ', ' kept '],
    ['text', '12345', '12345', { maxLength: 5 }],
    ['number', ' 5.50 ', 5.5],
    ['number', '-1e3', -1000],
    ['number', '-0', 0],
    ['boolean', 'Yes', true],
    ['boolean', '0', false],
    ['day', '2026-02-28', '2026-02-28'],
    ['day', '2026-02-28T23:30:00-05:00', '2026-03-01'],
    ['instant', '2026-02-28T23:30:00-05:00', '2026-03-01T04:30:00.000Z'],
    ['instant', '2026-02-28', '2026-02-28T00:00:00.000Z'],
    ['choice', 'in PROGRESS ', 'In progress', { options: OPTIONS }],
    ['choice', 'anything', 'anything'],
    ['choice', 'positive', 'Done', { options: OPTIONS, values: { positive: 'Done' } }],
    ['choices', 'done; New;;new', ['Done', 'New'], { options: OPTIONS }],
    ['choices', 'p; New', ['Done', 'New'], { options: OPTIONS, values: { p: 'Done' } }],
    ['choices', ' ; ', null, { options: OPTIONS }],
    ['boolean', 'sure', true, { values: { sure: 'true' } }],
    ['number', '', null],
    ['text', '   ', null],
  ])('of the type %s: %j is %j', (type, text, value, more = {}) => {
    expect(toCrmValue(rule(type, more), text)).toEqual({ ok: true, value });
  });

  it.each<[CrmFieldType, string, string, Partial<MappingRule>?]>([
    ['text', '123456', 'longer than the 5', { maxLength: 5 }],
    ['number', '5,5', 'no number'],
    ['number', '0x10', 'no number'],
    ['number', '1e999', 'no number'],
    ['number', 'Infinity', 'no number'],
    ['boolean', 'perhaps', 'neither true nor false'],
    ['day', '2026-02-30', 'no day'],
    ['day', '28.02.2026', 'no day'],
    ['instant', 'tomorrow', 'no time'],
    ['instant', '2026-02-30T10:00:00Z', 'no time'],
    ['choice', 'Lost', 'none of the options', { options: OPTIONS }],
    ['choices', 'New; Lost', 'none of the options', { options: OPTIONS }],
    ['choice', 'toString', 'none of the options', { options: OPTIONS, values: { a: 'New' } }],
  ])('that is no %s is not written: %j', (type, text, reason, more = {}) => {
    const converted = toCrmValue(rule(type, more), text);
    expect(converted).toEqual({ ok: false, reason: expect.stringContaining(reason) as string });
  });
});

describe('a value of a CRM', () => {
  it.each<[CrmFieldType | null, unknown, string, Partial<MappingRule>?]>([
    ['text', 'as it is', 'as it is'],
    ['text', null, ''],
    ['number', 5.5, '5.5'],
    ['boolean', false, 'false'],
    ['choice', 'Done', 'positive', { values: { positive: 'Done' } }],
    ['choice', 'Other', 'Other', { values: { positive: 'Done' } }],
    ['choices', ['Done', 'New'], 'Done; New'],
    ['choices', 'Done;New', 'Done; New'],
    ['choices', ['Done', 'New'], 'positive; New', { values: { positive: 'Done' } }],
    ['text', ['a', 'b'], 'a; b'],
    [null, 'x', 'x'],
  ])('of the type %s: %j is %j', (type, value, text, more = {}) => {
    expect(toLeadValue(rule(type, more), value as never)).toEqual({ ok: true, value: text });
  });

  it.each<[CrmFieldType, unknown, string]>([
    ['text', 'x'.repeat(2_001), 'at most 2000'],
    ['text', 'a\0b', 'null characters'],
    ['text', '\ud800', 'well-formed'],
    ['choices', ['a;b'], 'a choice with a ;'],
  ])('that a lead cannot have is not taken (%#)', (type, value, reason) => {
    const converted = toLeadValue(rule(type), value as never);
    expect(converted).toEqual({ ok: false, reason: expect.stringContaining(reason) as string });
  });
});

describe('a value that goes to the CRM and back', () => {
  const texts: Record<string, fc.Arbitrary<string>> = {
    text: fc.string({ unit: 'grapheme', maxLength: 200 }),
    number: fc.double({ noNaN: true, noDefaultInfinity: true }).map(String),
    boolean: fc.constantFrom('true', 'false', 'Yes', 'no', '1', '0'),
    day: fc
      .date({ min: new Date('1970-01-01'), max: new Date('2999-12-31'), noInvalidDate: true })
      .map((date) => date.toISOString().slice(0, 10)),
    instant: fc
      .date({ min: new Date('1970-01-01'), max: new Date('2999-12-31'), noInvalidDate: true })
      .map((date) => date.toISOString()),
    choice: fc.constantFrom(...OPTIONS, 'done', ' NEW '),
    choices: fc.array(fc.constantFrom(...OPTIONS, 'done')).map((items) => items.join('; ')),
  };

  it.each(Object.keys(texts))('stays equal, and is unchanged when it is pushed again: %s', (name) => {
    const options = name.startsWith('choice') ? OPTIONS : null;
    const given = rule(name as CrmFieldType, { options });
    fc.assert(
      fc.property(texts[name]!, (text) => {
        const there = toCrmValue(given, text);
        fc.pre(there.ok);
        const back = toLeadValue(given, there.value);
        expect(back.ok).toBe(true);
        const again = back.ok ? toCrmValue(given, back.value) : back;
        expect(again).toEqual(there);
        expect(isSameValue(given, text, there.value)).toBe(true);
        expect(isSameValue(given, back.ok ? back.value : '', there.value)).toBe(true);
      }),
    );
  });

  it('accepts any value of a CRM without failing', () => {
    const types = fc.constantFrom<CrmFieldType | null>('text', 'number', 'boolean', 'day', 'choice', 'choices', null);
    const values = fc.oneof(fc.string(), fc.double(), fc.boolean(), fc.constant(null), fc.array(fc.string()));
    fc.assert(
      fc.property(types, values, (type, value) => {
        const converted = toLeadValue(rule(type), value);
        expect(typeof (converted.ok ? converted.value : converted.reason)).toBe('string');
      }),
    );
  });

  it.each<[CrmFieldType, string, unknown, boolean]>([
    ['number', '5.0', 5, true],
    ['number', '5', '5', true],
    ['boolean', 'Yes', true, true],
    ['choices', 'B; A', ['A', 'B'], true],
    ['choices', 'B; A', 'A;B', true],
    ['instant', '2026-01-01T00:00:00Z', '2026-01-01T01:00:00+01:00', true],
    ['text', '', null, true],
    ['text', 'a', 'b', false],
    ['number', 'five', 5, false],
  ])('%s %j equals %j: %j', (type, text, value, same) => {
    expect(isSameValue(rule(type), text, value as never)).toBe(same);
  });
});
