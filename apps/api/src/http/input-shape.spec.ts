import { findInputProblem } from './input-shape';

function nested(levels: number): unknown {
  return levels === 0 ? 1 : { a: nested(levels - 1) };
}
const wide = (fields: number): object =>
  Object.fromEntries(Array.from({ length: fields }, (_value, index) => [`f${index}`, 1]));

describe('inputProblem', () => {
  it.each([
    ['no body', undefined],
    ['an object', { name: 'x', list: [{ a: 1 }] }],
    ['twenty levels', nested(20)],
    ['two hundred fields', wide(200)],
    ['a long list', { ids: Array.from({ length: 10_000 }, String) }],
  ])('accepts %s', (_name, body) => {
    expect(findInputProblem(body, {})).toBeUndefined();
  });

  it.each([
    ['an array', [], 'must be a JSON object'],
    ['a string', 'x', 'must be a JSON object'],
    ['null', null, 'must be a JSON object'],
    ['a number', 0, 'must be a JSON object'],
    ['false', false, 'must be a JSON object'],
    ['twenty-one levels', nested(21), 'nested'],
    ['two hundred and one fields', wide(201), 'more than 200 fields'],
    ['as many nested fields', { list: [{ settings: wide(201) }] }, 'more than 200 fields'],
    ['the name of a prototype property', JSON.parse('{"settings":{"__proto__":{}}}'), '__proto__'],
  ])('rejects %s', (_name, body, message) => {
    expect(findInputProblem(body, {})).toEqual({ field: 'body', message: expect.stringContaining(message) as unknown });
  });

  it.each(['__proto__', 'constructor', 'toString', 'prototype'])('rejects the query parameter %s', (name) => {
    const query = Object.assign(Object.create(null) as object, JSON.parse(`{"limit":"5"}`));
    Object.defineProperty(query, name, { value: '1', enumerable: true });
    expect(findInputProblem(undefined, query)).toMatchObject({ field: name });
  });
});
