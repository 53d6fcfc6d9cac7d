import { MAX_MAPPED, listMappingFaults, toMapping } from './tool-mapping';

describe('a mapping of results', () => {
  it('maps fields of any name to person fields and variables', () => {
    const mapping = toMapping({ title: 'jobTitle', 'company.name': ' companyName ', 'Fünf $ee': 'funding_round' });
    expect(mapping).toEqual([
      { from: 'title', to: 'jobTitle' },
      { from: 'company.name', to: 'companyName' },
      { from: 'Fünf $ee', to: 'funding_round' },
    ]);
    expect(listMappingFaults(mapping)).toEqual([]);
  });

  it.each([
    ['nothing at all', {}, 'mapping', 'must have 1 to 60 fields'],
    ['the address', { mail: 'email' }, 'mapping.mail', 'field of the lead'],
    ['a name that no variable has', { a: 'b c' }, 'mapping.a', 'is not an allowed name'],
    ['a name that every object has', { a: 'constructor' }, 'mapping.a', 'reserved'],
    ['an empty name', { a: ' ' }, 'mapping.a', 'must be the name'],
    ['no text', { a: 5 }, 'mapping.a', 'must be the name'],
    ['an empty name of a result', { ' ': 'city' }, 'mapping. ', 'must have a name'],
    ['a long name of a result', { ['x'.repeat(201)]: 'city' }, `mapping.${'x'.repeat(200)}`, 'must have a name'],
    ['half a character', { '\ud800': 'city' }, 'mapping.\ud800', 'well-formed'],
    ['two for one field', { a: 'city', b: 'city' }, 'mapping.b', 'another entry already fills'],
  ])('is refused with %s', (_what, given, field, message) => {
    const faults = listMappingFaults(toMapping(given));
    expect(faults).toEqual([{ field, message: expect.stringContaining(message) as string }]);
  });

  it(`has at most ${MAX_MAPPED} fields`, () => {
    const many = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, at) => [`f${at}`, `v${at}`]));
    expect(listMappingFaults(toMapping(many(MAX_MAPPED)))).toEqual([]);
    expect(listMappingFaults(toMapping(many(MAX_MAPPED + 1)))).toHaveLength(1);
  });
});
