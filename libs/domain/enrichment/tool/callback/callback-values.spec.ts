import fc from 'fast-check';
import { parseCallbackValues } from './callback-values';

const MAPPING = [
  { from: 'title', to: 'jobTitle' },
  { from: 'company.name', to: 'companyName' },
  { from: 'score', to: 'score' },
];

describe('the values of a result', () => {
  it('are read by the names of the mapping only', () => {
    const result = { title: ' CEO ', company: { name: 'Acme', size: 5 }, score: 0.5, email: 'eve@example.com' };
    expect(parseCallbackValues(MAPPING, result)).toEqual({
      values: [
        { name: 'jobTitle', value: 'CEO' },
        { name: 'companyName', value: 'Acme' },
        { name: 'score', value: '0.5' },
      ],
      unknown: [],
    });
  });

  it('may have dots in their names', () => {
    const { values } = parseCallbackValues(MAPPING, { 'company.name': 'Flat', company: { name: 'Deep' } });
    expect(values).toEqual([{ name: 'companyName', value: 'Flat' }]);
  });

  it.each([
    {},
    { title: null },
    { title: '  ' },
    { company: null },
    { company: 'Acme' },
    { company: [] },
    { Title: 'x' },
  ])('are empty: %j', (result) => {
    expect(parseCallbackValues(MAPPING, result)).toEqual({ values: [], unknown: [] });
  });

  it.each([{ title: ['CEO'] }, { title: { text: 'CEO' } }])('are invalid: %j', (result) => {
    const { values, unknown } = parseCallbackValues(MAPPING, result);
    expect({ values, names: unknown.map(({ name }) => name) }).toEqual({ values: [], names: ['jobTitle'] });
  });

  it('are never read from an object’s prototype', () => {
    const mapping = ['constructor', '__proto__', 'toString', 'company.constructor.name'].map((from) => ({
      from,
      to: 'x',
    }));
    expect(parseCallbackValues(mapping, { company: {} })).toEqual({ values: [], unknown: [] });
  });

  it('never contain unmapped fields', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue()), (result) => {
        const { values, unknown } = parseCallbackValues(MAPPING, result);
        const names = [...values, ...unknown].map(({ name }) => name);
        expect(MAPPING.map(({ to }) => to)).toEqual(expect.arrayContaining(names));
        expect(new Set(names).size).toBe(names.length);
      }),
    );
  });
});
