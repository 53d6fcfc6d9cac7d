import fc from 'fast-check';
import { planEnrichment, findValueFault } from './lead-enrichment';
import { MAX_VARIABLES } from './lead-values';

const NOBODY = {
  firstName: '',
  lastName: '',
  companyName: '',
  jobTitle: '',
  phone: '',
  website: '',
  linkedinUrl: '',
  city: '',
  country: '',
  variables: {},
};

describe('enriched values of a lead', () => {
  it('fill empty fields, and leave existing values', () => {
    const lead = { ...NOBODY, city: 'Bern', variables: { role: 'buyer', empty: '' } };
    const found = [
      { name: 'jobTitle', value: 'CEO' },
      { name: 'city', value: 'Basel' },
      { name: 'role', value: 'seller' },
      { name: 'empty', value: 'no more' },
      { name: 'fax', value: '1' },
    ];
    const { values, changes } = planEnrichment(lead, found, false);
    expect(values.map(({ outcome }) => outcome)).toEqual(['filled', 'kept', 'kept', 'filled', 'filled']);
    expect(changes).toEqual({ jobTitle: 'CEO', variables: { empty: 'no more', fax: '1' } });
  });

  it('replace existing values if they may, and change nothing that is already equal', () => {
    const lead = { ...NOBODY, city: 'Bern', country: 'CH', variables: { role: 'buyer' } };
    const found = [
      { name: 'city', value: 'Basel' },
      { name: 'country', value: 'CH' },
      { name: 'role', value: 'seller' },
    ];
    const { values, changes } = planEnrichment(lead, found, true);
    expect(values.map(({ outcome }) => outcome)).toEqual(['filled', 'kept', 'filled']);
    expect(changes).toEqual({ city: 'Basel', variables: { role: 'seller' } });
  });

  it.each([
    ['email', 'eve@example.com', /field of the lead/],
    ['__proto__', 'x', /is not an allowed name/],
    ['constructor', 'x', /reserved/],
    ['a b', 'x', /letters, digits/],
    ['firstName', 'x'.repeat(201), 'must be a text of at most 200 characters'],
    ['phone', '1'.repeat(51), 'must be a text of at most 50 characters'],
    ['role', 'x'.repeat(2_001), 'must be a text of at most 2000 characters'],
    ['role', 'half \ud800', /well-formed/],
    ['city', 'nul \0', /null characters/],
  ])('are refused with a reason: %s', (name, value, reason) => {
    const matching = { name, value, outcome: 'refused', reason: expect.stringMatching(reason) as string };
    expect(planEnrichment(NOBODY, [{ name, value }], true)).toEqual({ values: [matching], changes: {} });
    expect(findValueFault({ name, value })).toMatch(reason);
  });

  it('may be variables with the name of another field, which stays unchanged', () => {
    const found = ['status', 'workspaceId', 'timezone', 'sentCount'].map((name) => ({ name, value: 'x' }));
    const { changes } = planEnrichment(NOBODY, found, true);
    expect(changes).toEqual({ variables: { status: 'x', workspaceId: 'x', timezone: 'x', sentCount: 'x' } });
  });

  it('are refused beyond the maximum number of variables', () => {
    const variables = Object.fromEntries(Array.from({ length: MAX_VARIABLES - 1 }, (_, at) => [`v${at}`, 'x']));
    const found = ['one', 'two', 'v0'].map((name) => ({ name, value: 'y' }));
    const { values, changes } = planEnrichment({ ...NOBODY, variables }, found, true);
    expect(values.map(({ outcome }) => outcome)).toEqual(['filled', 'refused', 'filled']);
    expect(changes.variables).toEqual({ one: 'y', v0: 'y' });
  });

  it('change only the fields that are reported as filled', () => {
    const name = fc.oneof(fc.constantFrom('city', 'email', 'role', '_id', 'variables'), fc.string());
    fc.assert(
      fc.property(fc.array(fc.record({ name, value: fc.string() })), fc.boolean(), (found, overwrite) => {
        const lead = { ...NOBODY, city: 'Bern', variables: { role: 'buyer' } };
        const { values, changes } = planEnrichment(lead, found, overwrite);
        const { variables = {}, ...person } = changes;
        const filled = new Set(values.filter(({ outcome }) => outcome === 'filled').map((value) => value.name));
        expect(new Set([...Object.keys(person), ...Object.keys(variables)])).toEqual(filled);
        expect(values).toHaveLength(found.length);
      }),
    );
  });
});
