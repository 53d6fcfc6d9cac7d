import { type DescribedField, toSalesforceFields, getSoqlKind } from './salesforce-fields';

const described = (change: Partial<DescribedField>): DescribedField => ({
  name: 'F',
  label: 'A field',
  type: 'string',
  length: 0,
  custom: false,
  createable: true,
  updateable: true,
  calculated: false,
  restrictedPicklist: false,
  picklistValues: [],
  ...change,
});

describe('fields of Salesforce', () => {
  it.each<[Partial<DescribedField>, object]>([
    [
      { type: 'string', length: 80 },
      { type: 'text', isWritable: true, maxLength: 80 },
    ],
    [
      { type: 'email', length: 80 },
      { type: 'email', maxLength: 80 },
    ],
    [{ type: 'double' }, { type: 'number', maxLength: null }],
    [{ type: 'date' }, { type: 'day' }],
    [{ type: 'datetime' }, { type: 'instant' }],
    [
      { type: 'reference', length: 18 },
      { type: 'reference', maxLength: null },
    ],
    [{ type: 'address' }, { type: 'other', isWritable: false }],
    [{ type: 'a type of tomorrow' }, { type: 'other', isWritable: false }],
    [{ createable: false }, { isWritable: false }],
    [{ updateable: false }, { isWritable: false }],
    [{ calculated: true }, { isWritable: false }],
    [{ custom: true }, { isCustom: true }],
    [
      { type: 'picklist', picklistValues: [{ value: 'a', active: true }] },
      { type: 'choice', options: null },
    ],
    [
      {
        type: 'multipicklist',
        restrictedPicklist: true,
        picklistValues: [
          { value: 'a', active: true },
          { value: 'b', active: false },
        ],
      },
      { type: 'choices', options: ['a'] },
    ],
  ])('describes %j', (change, field) => {
    expect(toSalesforceFields([described(change)])).toMatchObject([{ name: 'F', label: 'A field', ...field }]);
  });

  it('adds the read-only name of the account when the account is visible', () => {
    const account = described({ name: 'AccountId', type: 'reference' });
    expect(toSalesforceFields([account]).at(-1)).toMatchObject({
      name: 'Account.Name',
      type: 'text',
      isWritable: false,
    });
    expect(toSalesforceFields([described({})])).toHaveLength(1);
  });

  it.each([
    ['double', 'number'],
    ['boolean', 'boolean'],
    ['multipicklist', 'choices'],
    ['picklist', 'text'],
    ['reference', 'text'],
    ['phone', 'text'],
  ])('returns the literal type of %s', (type, kind) => {
    expect(toSalesforceFields([described({ type })]).map(getSoqlKind)).toEqual([kind]);
  });
});
