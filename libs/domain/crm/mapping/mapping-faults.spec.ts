import { type CrmField, CRM_TYPES } from '@adapters/crm';
import { getDefaultRules } from './default-rules';
import { type FieldRule } from './field-rule';
import { findMappingFaults, MAX_RULES, MAX_VALUES } from './mapping-faults';

const rule = (more: Partial<FieldRule> = {}): FieldRule => ({
  lead: 'jobTitle',
  crm: 'title',
  direction: 'both',
  overwrite: 'always',
  values: null,
  ...more,
});
const field = (name: string, more: Partial<CrmField> = {}): CrmField => ({
  name,
  label: name,
  type: 'text',
  isWritable: true,
  isCustom: false,
  options: null,
  maxLength: null,
  ...more,
});
const FIELDS = [
  field('title'),
  field('score', { type: 'number', isWritable: false }),
  field('blob', { type: 'other' }),
  field('status', { type: 'choice', options: ['NEW', 'OPEN'] }),
  field('flag', { type: 'boolean' }),
  field('seen', { type: 'instant' }),
  field('hubspot_owner_id', { type: 'reference' }),
  field('email', { type: 'email' }),
];

describe('a mapping', () => {
  it('maps fields and variables of leads, and values of the platform, to fields of people', () => {
    const rules = [
      rule(),
      rule({ lead: 'points', crm: 'score', direction: 'pull' }),
      rule({ lead: 'stage', crm: 'status', direction: 'push', values: { positive: 'OPEN' } }),
      rule({ lead: 'optedOut', crm: 'flag', direction: 'push' }),
      rule({ lead: 'lastContactedAt', crm: 'seen', direction: 'push' }),
      rule({ lead: 'owner', crm: 'hubspot_owner_id', direction: 'pull' }),
      rule({ lead: 'otherTitle', crm: 'title', direction: 'pull' }),
    ];
    expect(findMappingFaults(rules, FIELDS)).toEqual([]);
    expect(findMappingFaults([], FIELDS)).toEqual([]);
  });

  it.each<[string, Partial<FieldRule>, string, string]>([
    ['the address', { lead: 'email' }, 'rules.0.lead', 'is the address'],
    ['a name that no variable has', { lead: 'b c' }, 'rules.0.lead', 'is not an allowed name'],
    ['a name that every object has', { lead: 'constructor' }, 'rules.0.lead', 'reserved'],
    ['a pulled stage', { lead: 'stage', crm: 'status' }, 'rules.0.direction', 'must be push'],
    ['a blank name of the CRM', { crm: ' ' }, 'rules.0.crm', 'must be the name'],
    ['half a character', { crm: '\ud800' }, 'rules.0.crm', 'well-formed'],
    ['a pushed owner', { crm: 'hubspot_owner_id' }, 'rules.0.crm', 'is the owner'],
    ['a pushed address', { crm: 'email', direction: 'push' }, 'rules.0.crm', 'is the address'],
    ['an unknown field', { crm: 'gone' }, 'rules.0.crm', 'no field'],
    ['a field that cannot be written', { crm: 'score' }, 'rules.0.crm', 'cannot be written'],
    ['a field of another kind', { crm: 'blob', direction: 'pull' }, 'rules.0.crm', 'cannot be synchronised'],
    ['a time in a flag', { lead: 'lastContactedAt', crm: 'flag', direction: 'push' }, 'rules.0.crm', 'is a boolean'],
    ['an option that is none', { crm: 'status', values: { a: 'LOST' } }, 'rules.0.values', 'does not have'],
    ['no values', { values: {} }, 'rules.0.values', '1 to 200 pairs'],
    ['an empty value', { values: { a: '' } }, 'rules.0.values', 'well-formed'],
    ['values that cannot be read backwards', { values: { a: 'x', b: 'x' } }, 'rules.0.values', 'backwards'],
  ])('is refused with %s', (_what, more, at, message) => {
    expect(findMappingFaults([rule(more)], FIELDS)).toEqual([
      { field: at, message: expect.stringContaining(message) as string },
    ]);
  });

  it('has one rule for each target field', () => {
    const faults = findMappingFaults(
      [rule(), rule({ lead: 'city', direction: 'push' }), rule({ crm: 'status' })],
      FIELDS,
    );
    expect(faults.map(({ field: at }) => at)).toEqual(['rules.1.crm', 'rules.2.lead']);
  });

  it('is validated against the built-in rules only while the CRM is unavailable', () => {
    expect(findMappingFaults([rule({ crm: 'gone' })], null)).toEqual([]);
    expect(findMappingFaults([rule({ lead: 'email' })], null)).toHaveLength(1);
  });

  it(`has at most ${MAX_RULES} rules of ${MAX_VALUES} values`, () => {
    const rules = (count: number) => Array.from({ length: count }, (_, at) => rule({ lead: `v${at}`, crm: `f${at}` }));
    expect(findMappingFaults(rules(MAX_RULES), null)).toEqual([]);
    expect(findMappingFaults(rules(MAX_RULES + 1), null)).toHaveLength(1);
    const values = (count: number) =>
      Object.fromEntries(Array.from({ length: count }, (_, at) => [`a${at}`, `b${at}`]));
    expect(findMappingFaults([rule({ values: values(MAX_VALUES) })], null)).toEqual([]);
    expect(findMappingFaults([rule({ values: values(MAX_VALUES + 1) })], null)).toHaveLength(1);
  });
});

describe('the rules of a new connection', () => {
  it.each(CRM_TYPES)('of %s have nothing wrong with them, whatever the account has', (type) => {
    expect(getDefaultRules(type, [])).toEqual([]);
    const names = ['firstname', 'FirstName', 'first_name', 'First_Name', 'name.first_name'];
    const fields = names.map((name) => field(name, { maxLength: 40 }));
    const rules = getDefaultRules(type, fields);
    expect(rules).toEqual([
      expect.objectContaining({ lead: 'firstName', direction: 'both', overwrite: 'when_empty', maxLength: 40 }),
    ]);
    expect(findMappingFaults(rules, fields)).toEqual([]);
  });

  it('only pull read-only fields', () => {
    const fields = [field('firstname', { isWritable: false })];
    expect(getDefaultRules('hubspot', fields)).toMatchObject([{ direction: 'pull', type: 'text' }]);
  });
});
